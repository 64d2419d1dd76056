"""The offline checks, a module a family: of one provider, of one model, or of all files together."""
