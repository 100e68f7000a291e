//! The modules beside the program's own files: those that the guest provides, and advice about those that it does not.

/// The hint for imports of anything but files of the program.
pub(super) const ONLY_OWN_FILES: &str = "only the program's own files can be imported; the tools are in `tools.…`";

/// The modules of Node that the guest provides, with the prefix `node:`.
const BUILTIN: &[&str] = &[
    "node:assert",
    "node:assert/strict",
    "node:buffer",
    "node:crypto",
    "node:events",
    "node:path",
    "node:path/posix",
    "node:perf_hooks",
    "node:process",
    "node:querystring",
    "node:timers",
    "node:timers/promises",
    "node:url",
    "node:util",
];

/// Returns the name of a module that the guest provides, with the prefix `node:`.
pub(super) fn builtin(specifier: &str) -> Option<&'static str> {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    BUILTIN.iter().copied().find(|builtin| &builtin["node:".len()..] == name)
}

/// Returns what to use instead of a module that is not available.
pub(super) fn advice(specifier: &str) -> &'static str {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    let package = match name.strip_prefix('@') {
        Some(scoped) => scoped.split('/').next().unwrap_or_default(),
        None => name.split('/').next().unwrap_or_default(),
    };
    let found = ADVICE.iter().find(|(names, _)| names.contains(&package));
    found.map_or(ONLY_OWN_FILES, |(_, advice)| advice)
}

#[rustfmt::skip]
const ADVICE: &[(&[&str], &str)] = &[
    (&["fs", "fs-extra", "graceful-fs", "glob", "fast-glob", "globby", "rimraf", "mkdirp", "chokidar"],
     "there is no file system; use a tool that reads or writes files, in `tools.…`"),
    (&["http", "https", "http2", "axios", "node-fetch", "cross-fetch", "isomorphic-fetch", "undici", "got", "ky",
       "superagent", "request", "needle", "ofetch", "wretch"],
     "use `fetch` if the host allows it, or the tools in `tools.…`"),
    (&["net", "tls", "dgram", "dns", "ws", "socket.io", "socket.io-client", "ssh2", "nodemailer", "express", "koa",
       "fastify", "hono"],
     "there are no network connections but `fetch` if the host allows it; use the tools in `tools.…`"),
    (&["child_process", "worker_threads", "cluster", "execa", "shelljs", "zx", "cross-spawn"],
     "a program starts no other processes or threads; use the tools in `tools.…`"),
    (&["os", "v8", "vm", "module", "inspector", "repl", "tty", "diagnostics_channel", "async_hooks"],
     "the machine is not visible to the program; leave the module out"),
    (&["stream", "readline", "zlib", "string_decoder", "csv-parse", "papaparse", "split2", "through2"],
     "there are no streams; read the whole text and use `split`, or an async generator"),
    (&["lodash", "lodash-es", "underscore", "ramda", "remeda", "radash"],
     "use the methods of arrays and objects, such as `map`, `filter`, `reduce` and `Object.groupBy`"),
    (&["zod", "joi", "yup", "ajv", "valibot", "superstruct", "io-ts", "class-validator"],
     "check values with `typeof` and `Array.isArray`; the inputs of tools are checked against their schemas"),
    (&["dayjs", "moment", "moment-timezone", "luxon", "date-fns", "date-fns-tz"],
     "use `Date` and `Intl.DateTimeFormat`"),
    (&["uuid", "nanoid", "cuid", "ulid"], "use `crypto.randomUUID()`"),
    (&["p-limit", "p-map", "p-queue", "p-retry", "async", "bluebird", "async-retry"],
     "use `Promise.all` and a loop; calls in flight are limited by the host"),
    (&["chalk", "picocolors", "kleur", "winston", "pino", "debug", "ora", "cli-table3"],
     "use `console.log`; its messages are part of the outcome"),
    (&["dotenv", "config", "yargs", "commander", "minimist"],
     "there are no environment variables and no arguments; write the values into the program"),
    (&["cheerio", "jsdom", "node-html-parser", "puppeteer", "playwright", "turndown"],
     "there is no document; use a tool in `tools.…`, or take the text apart with regular expressions"),
    (&["yaml", "js-yaml", "toml", "xml2js", "fast-xml-parser"], "use a tool in `tools.…`, or take the text apart with `split`"),
    (&["crypto-js", "bcrypt", "bcryptjs", "jsonwebtoken", "md5", "sha.js"], "use `node:crypto` for hashes"),
    (&["openai", "anthropic-ai", "langchain", "ai", "modelcontextprotocol", "octokit", "slack", "googleapis", "aws-sdk",
       "google-cloud", "stripe", "notionhq", "twilio", "sendgrid", "linear", "supabase", "prisma", "mongodb", "mongoose",
       "pg", "mysql", "mysql2", "sqlite3", "better-sqlite3", "redis", "ioredis", "knex", "sequelize", "typeorm",
       "drizzle-orm"],
     "clients of services are not available; use the tools in `tools.…`, and `codemode.search` to find them"),
    (&["react", "react-dom", "vue", "svelte", "next", "solid-js", "preact"], "there is no page; return strings or plain objects"),
    (&["jest", "vitest", "mocha", "chai", "test", "ava", "tap"], "there is no test runner; use `node:assert`"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_node_are_known_with_and_without_their_prefix() {
        assert_eq!(builtin("path"), Some("node:path"));
        assert_eq!(builtin("node:assert/strict"), Some("node:assert/strict"));
        assert_eq!(builtin("path/win32"), None);
        assert_eq!(builtin("node:node:path"), None);
        assert_eq!(builtin("./path"), None);
    }

    #[test]
    fn packages_are_advised_about_by_their_first_name() {
        assert_eq!(advice("node:fs/promises"), advice("fs"));
        assert_eq!(advice("@aws-sdk/client-s3"), advice("@aws-sdk/client-sns"));
        assert_ne!(advice("@aws-sdk/client-s3"), ONLY_OWN_FILES);
        assert_eq!(advice("left-pad"), ONLY_OWN_FILES);
    }
}
