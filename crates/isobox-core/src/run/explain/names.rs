//! What to use instead of names that programs take for granted and that are not available.

const GLOBALS: &str = "the globals here are `tools`, `console`, `require` and the usual ones of Node.js: timers, `URL`, \
    `Buffer`, `crypto`, `structuredClone`, `TextEncoder`, `AbortController`, `Headers`, `Blob`, `process` and the like";

/// Returns what to use instead of a global that is missing.
pub(super) fn instead_of(missing: &str) -> String {
    if let Some(advice) = own_advice(missing) {
        return advice.to_owned();
    }
    let instead = match missing {
        "fetch" | "XMLHttpRequest" | "axios" | "WebSocket" | "EventSource" | "http" | "https" => {
            "there is no network here; call a tool instead; "
        }
        "module" | "exports" => "`return` or `export default` the result instead; ",
        "__dirname" | "__filename" | "fs" => "there is no file system here; call a tool instead; ",
        "Deno" | "Bun" => "this is neither Deno nor Bun; ",
        "window" | "document" | "localStorage" | "sessionStorage" | "navigator" | "location" | "alert" => {
            "this is not a browser; "
        }
        "eval" | "Function" => "code cannot be made from text here; ",
        "Atomics" | "SharedArrayBuffer" | "Worker" | "MessageChannel" => {
            "there is one thread here; run calls at the same time with Promise.all; "
        }
        "WebAssembly" => "WebAssembly cannot run here; ",
        "ReadableStream" | "WritableStream" | "TransformStream" | "TextDecoderStream" => {
            "there are no streams here; work with whole values; "
        }
        "_" | "lodash" => "use the methods of Array and Object instead; ",
        "moment" | "dayjs" => "use Date instead; ",
        "util" | "path" | "url" | "assert" | "events" | "querystring" => {
            return format!("import it first: import {missing} from \"node:{missing}\"");
        }
        _ => "",
    };
    format!("{instead}{GLOBALS}")
}

/// Returns the whole advice about names that have one replacement.
fn own_advice(missing: &str) -> Option<&'static str> {
    Some(match missing {
        "sleep" | "delay" | "wait" => {
            "declare it: `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))`"
        }
        "print" | "println" | "puts" | "printf" => "write `console.log(…)`",
        "len" => "write `.length`, or `.size` for a Map or a Set",
        "None" | "nil" | "NULL" | "Null" => "write `null`",
        "True" | "TRUE" => "write `true`",
        "False" | "FALSE" => "write `false`",
        "str" => "write `String(…)`",
        "int" | "float" => "write `Number(…)`",
        "range" => "write `Array.from({ length: n }, (_, i) => i)`",
        "uuid" | "uuidv4" | "uuid4" | "nanoid" | "randomUUID" => "write `crypto.randomUUID()`",
        "createHash" | "createHmac" | "randomBytes" => {
            "import it first: import { createHash, createHmac, randomBytes } from \"node:crypto\""
        }
        "readFile" | "readFileSync" | "writeFile" | "writeFileSync" | "existsSync" | "readdirSync" | "open" => {
            "there is no file system here; call a tool, or keep data in variables and return it"
        }
        "os" => "there is no operating system to ask here; `\"\\n\"` is the line break",
        "z" | "zod" | "Joi" => "check values with typeof, or let the schemas of the tools do it",
        "input" | "args" | "argv" | "params" => {
            "a program has no arguments: write the values into it; a snippet is a function, and its parameter is the input"
        }
        "callTool" | "call_tool" | "useTool" | "invokeTool" => {
            "a tool is a function of `tools`: `await tools.name({ … })`; `codemode.search` finds it"
        }
        "$" | "jQuery" => "this is not a browser: take HTML apart with regular expressions, or call a tool",
        "prompt" | "confirm" => "no person can be asked here: write the values into the program, or call a tool",
        _ => return None,
    })
}

/// Returns what to use instead of a method that is missing. `called` is the expression that was called, and `reason` is why that
/// failed.
pub(super) fn instead_of_method(called: &str, reason: &str) -> Option<&'static str> {
    let (base, method) = called.rsplit_once('.')?;
    let is_missing = reason == "it is undefined";
    if base == "crypto" && is_missing {
        return match method {
            "createHash" | "createHmac" | "randomBytes" | "randomInt" => {
                Some("`crypto` is that of the web; for this function write: import crypto from \"node:crypto\"")
            }
            _ => None,
        };
    }
    let is_collection = reason.ends_with(" is a Set") || reason.ends_with(" is a Map");
    let is_iterator = reason.ends_with(" is an iterator");
    match method {
        "contains" if is_missing || !(reason.starts_with("it is ") || reason.ends_with("; await it first")) => {
            Some("arrays and strings have `includes`, and Sets and Maps `has`")
        }
        "map" | "filter" | "find" | "some" | "every" | "reduce" | "sort" | "slice" | "join" | "includes"
        | "flatMap"
            if is_collection || is_iterator =>
        {
            Some("make it an array first: `[...values]`")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages_and_libraries_have_advice_of_their_own() {
        for name in [
            "sleep",
            "delay",
            "print",
            "len",
            "None",
            "True",
            "uuid",
            "randomUUID",
            "readFileSync",
            "os",
            "z",
            "input",
            "args",
            "callTool",
            "createHash",
        ] {
            assert!(!instead_of(name).contains(GLOBALS), "{name}");
        }
        assert_eq!(instead_of("somethingElse"), GLOBALS);
        assert!(instead_of("window").ends_with(GLOBALS));
    }

    #[test]
    fn methods_that_are_missing_have_another_name_or_kind() {
        let includes = Some("arrays and strings have `includes`, and Sets and Maps `has`");
        assert_eq!(instead_of_method("(list).contains", "list is an array"), includes);
        assert_eq!(instead_of_method("page.contains", "it is undefined"), includes);
        assert_eq!(instead_of_method("page.contains", "it is an object"), None);
        assert_eq!(instead_of_method("page.contains", "page is a Promise; await it first"), None);
        assert_eq!(instead_of_method("ids.map", "ids is a Set"), Some("make it an array first: `[...values]`"));
        assert_eq!(instead_of_method("names.map", "names is a string"), None);
        assert!(instead_of_method("crypto.createHash", "it is undefined").is_some());
        assert_eq!(instead_of_method("crypto.createHash", "crypto is an array"), None);
        assert_eq!(instead_of_method("start", "it is undefined"), None);
    }
}
