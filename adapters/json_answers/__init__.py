"""JSON answers: read best-effort out of what a model said, checked against what was asked, and told honestly.

    verdict = judge_answer(text, JsonAnswer(schema))    # JsonVerdict: valid, or what is wrong and where
    verdict = await apart.judge_apart(text, asked)      # the same for a schema that may take forever: ended in time
    verdict.found                                       # whole, in a code fence, or among words
    answer = read_schema_file(path)                     # JsonAnswer; raises BadSchemaFile with line and column

Nothing is mended and nothing is fetched. jsonschema loads only when a schema is used.
"""

from adapters.json_answers.schema import BadSchema, JsonError
from adapters.json_answers.schema_file import BadSchemaFile, read_schema_file
from adapters.json_answers.search import Found
from adapters.json_answers.strict import NotJson, read_json
from adapters.json_answers.verdict import JsonOutcome, JsonVerdict, judge_answer

__all__ = [
    "BadSchema",
    "BadSchemaFile",
    "Found",
    "JsonError",
    "JsonOutcome",
    "JsonVerdict",
    "NotJson",
    "judge_answer",
    "read_json",
    "read_schema_file",
]
