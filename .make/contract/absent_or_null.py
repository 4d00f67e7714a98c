"""What the descriptions say once, of all requests: a field that is not required may also be null. And a bound of what is sent."""

from urllib.parse import urlencode

import schemathesis


@schemathesis.hook
def filter_query(context, query):
    """A request line beyond 4 KiB is answered 414 by the HTTP server, before anything of a description applies."""
    return len(urlencode(query or {}, doseq=True, errors="replace")) < 3000


@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]
    seen = set()

    def allow_null(schema):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name not in seen:
                seen.add(name)
                allow_null(schemas[name])
            return
        required = schema.get("required", [])
        for name, field in schema.get("properties", {}).items():
            allow_null(field)
            if name not in required:
                schema["properties"][name] = {"anyOf": [field, {"type": "null"}]}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                allow_null(schema[key])
        for choice in schema.get("oneOf", []):
            allow_null(choice)

    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                allow_null(media["schema"])
