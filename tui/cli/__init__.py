"""The command line: one small file a command group, loaded on demand, without Textual."""
