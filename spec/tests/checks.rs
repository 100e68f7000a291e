//! No false alarm: programs without a mistake, as models write them, are checked against the tools that they call.
//!
//! The corpus is made of forms of programs, each filled in with tools: those of `spec/search/tools.jsonl` and, where
//! `scripts/with_corpora.py` hands them to this test, those of public OpenAPI documents. Each program is also made wrong, so that the
//! test fails if nothing is looked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isobox::checks::{Certainty, FindingCode};
use isobox::connector::{Connector, ConnectorSettings, OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use isobox::tools::Catalogue;
use isobox::{Isobox, Program, Tool};
use isobox_spec::expected_failures;
use isobox_spec::programs::{load_programs, program_tools};
use serde_json::{Map, Value, json};

/// A form of a program. `CALL` is the expression of the tool, `WHOLE` an argument that is written as a whole, `PARTS` one whose
/// values come from `input`, and `MIXED` one of which some values do.
struct Form {
    text: &'static str,
    /// Whether a tool that does not exist is an error, and not only a warning or left to the run.
    is_certain: bool,
}

const fn certain(text: &'static str) -> Form {
    Form { text, is_certain: true }
}

const fn careful(text: &'static str) -> Form {
    Form { text, is_certain: false }
}

const FORMS: &[Form] = &[
    certain("return await CALL(WHOLE);"),
    certain("const input = JSON.parse('{}');\nconst result = await CALL(PARTS);\nreturn result;"),
    certain(
        "const result = await CALL(WHOLE);\nconsole.log(JSON.stringify(result, null, 2));\nreturn result.items?.length ?? 0;",
    ),
    certain("async () => {\n  const found = await CALL(WHOLE);\n  return { found };\n}"),
    certain("export default async function main() {\n  const data = await CALL(MIXED);\n  return data;\n}"),
    certain("const all = await Promise.all([CALL(WHOLE), CALL(MIXED)]);\nreturn all.map((one) => one);"),
    certain(
        "const results = [];\nfor (const input of [{}, {}]) {\n  results.push(await CALL(PARTS));\n}\nreturn results;",
    ),
    careful(
        "const inputs = [{}, {}];\nconst all = await Promise.all(inputs.map(async (input) => {\n  const one = await CALL(PARTS);\n  return one;\n}));\nreturn all.flat();",
    ),
    certain(
        "async function load(input: any) {\n  return await CALL(PARTS);\n}\nconst first = await load({});\nreturn first;",
    ),
    certain(
        "let cursor: string | undefined = undefined;\nconst all: unknown[] = [];\ndo {\n  const page: any = await CALL({ ...WHOLE, ...(cursor ? { cursor } : {}) });\n  all.push(...(page?.items ?? []));\n  cursor = page?.next;\n} while (cursor);\nreturn all;",
    ),
    certain(
        "const result = await CALL(WHOLE);\nif (!result) return 'nothing';\nconst { id, name = 'unnamed' } = result;\nreturn `${id ?? '-'}: ${name}`;",
    ),
    certain("const pending = CALL(WHOLE);\nconst other = 1 + 1;\nconst value = await pending;\nreturn [other, value];"),
    certain("return CALL(WHOLE).then((result) => result).finally(() => console.log('done'));"),
    certain(
        "const started = Date.now();\nconst result: Record<string, unknown> = await CALL(MIXED);\nreturn { took: Date.now() - started, keys: Object.keys(result) };",
    ),
    certain("(async () => {\n  const result = await CALL(WHOLE);\n  return result;\n})()"),
    careful("try {\n  return await CALL(WHOLE);\n} catch (error) {\n  return { error: error.message };\n}"),
    careful(
        "const settled = await Promise.allSettled([CALL(WHOLE), CALL(WHOLE)]);\nreturn settled.filter((one) => one.status === 'fulfilled').length;",
    ),
    careful(
        "const retry = async (work: () => Promise<any>, left = 3): Promise<any> => {\n  try {\n    return await work();\n  } catch (error) {\n    if (left === 0) throw error;\n    return retry(work, left - 1);\n  }\n};\nreturn await retry(() => CALL(WHOLE));",
    ),
    careful(
        "const mode = JSON.parse('\"read\"');\nif (mode === 'read') {\n  return await CALL(WHOLE);\n} else {\n  return null;\n}",
    ),
    careful(
        "const has = JSON.parse('true');\nconst value = has ? await CALL(WHOLE) : undefined;\nreturn value?.total ?? 0;",
    ),
    careful("const rows = JSON.parse('[]');\nif (rows.length === 0) return [];\nreturn await CALL(WHOLE);"),
    careful("for (const row of JSON.parse('[]')) {\n  await CALL(WHOLE);\n}\nreturn 'done';"),
    certain(
        "const load = async (input: any) => await CALL(PARTS);\nasync function main() {\n  return { loaded: await load({}) };\n}\nmain();",
    ),
    careful("const result = await CALL(WHOLE).catch(() => null);\nreturn result === null ? 'failed' : result;"),
    careful(
        "const timeout = new Promise((_, reject) => setTimeout(() => reject(new Error('slow')), 1000));\nreturn await Promise.race([CALL(WHOLE), timeout]);",
    ),
    careful(
        "class Client {\n  async load(input: any) {\n    return await CALL(PARTS);\n  }\n}\ntry {\n  return await new Client().load({});\n} catch {\n  return null;\n}",
    ),
    careful(
        "async function* pages() {\n  for (const input of [{}]) yield await CALL(PARTS);\n}\nconst all = [];\ntry {\n  for await (const page of pages()) all.push(page);\n} catch (error) {\n  console.error(error);\n}\nreturn all;",
    ),
    careful(
        "const tools_ = { first: (input: any) => CALL(PARTS) };\nlet value;\ntry {\n  value = await tools_.first({});\n} finally {\n  console.log(value);\n}\nreturn value;",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A tool as the corpus needs it.
struct Sample {
    expression: String,
    wrong: String,
    whole: String,
    parts: String,
    mixed: String,
}

async fn sample(isobox: &Isobox, tool: &Tool) -> Sample {
    let path = tool.path().as_str();
    let access = |path: &str| {
        let is_name =
            |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        path.split('.').fold("tools".to_owned(), |expression, part| {
            if is_name(part) && !part.starts_with(|sign: char| sign.is_ascii_digit()) {
                format!("{expression}.{part}")
            } else {
                format!("{expression}[{}]", json!(part))
            }
        })
    };
    let schema = tool.input_schema_text().cloned().unwrap_or(json!({}));
    let value = example(&schema, &schema, 0);
    // A value that is written as a whole is checked by the validation of the run time.
    let alone = Program::single(format!("return await {}({value})", access(path)));
    let fits = isobox.check(&alone, &[]).await.is_ok_and(|findings| findings.is_empty());
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let entries: Vec<String> = required.iter().map(|name| format!("{}: input[{}]", json!(name), json!(name))).collect();
    let parts = format!("{{ {} }}", entries.join(", "));
    let guessed = parts.replace("input[", "JSON.parse('{}')[");
    let mixed = match value.as_object().filter(|_| fits) {
        Some(entries) => {
            let entry = |(index, (name, value)): (usize, (&String, &Value))| match index % 2 {
                0 => format!("{}: JSON.parse('1')", json!(name)),
                _ => format!("{}: {value}", json!(name)),
            };
            format!("{{ {} }}", entries.iter().enumerate().map(entry).collect::<Vec<_>>().join(", "))
        }
        None => guessed.clone(),
    };
    Sample {
        mixed,
        expression: access(path),
        wrong: access(&format!("{path}_that_is_not_there")),
        whole: if fits { value.to_string() } else { guessed },
        parts,
    }
}

/// Returns a value for a schema. It may not fit: schemas of the world say many things.
fn example(root: &Value, schema: &Value, depth: usize) -> Value {
    if depth > 8 {
        return Value::Null;
    }
    if let Some(target) = schema["$ref"].as_str().and_then(|target| root.pointer(target.strip_prefix('#')?)) {
        return example(root, target, depth + 1);
    }
    if let Some(first) = schema["enum"].get(0).or(schema.get("const")).or(schema.get("default")) {
        return first.clone();
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema[keyword].get(0) {
            return example(root, first, depth + 1);
        }
    }
    let kind = schema["type"].as_str().or(schema["type"].get(0).and_then(Value::as_str));
    match kind {
        Some("string") => json!("text"),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        Some("array") => json!([example(root, &schema["items"], depth + 1)]),
        _ => {
            let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let part = |name: &str| (name.to_owned(), example(root, &schema["properties"][name], depth + 1));
            Value::Object(names.map(part).collect::<Map<_, _>>())
        }
    }
}

/// The numbers of checked programs, and of mistakes that were found.
#[derive(Default)]
struct Count {
    programs: usize,
    found: usize,
}

/// Checks programs over these tools, right and wrong ones.
async fn check_corpus(isobox: &Isobox, tools: &[Tool], count: &mut Count, failures: &mut Vec<String>) {
    for (index, tool) in tools.iter().enumerate() {
        let Form { text, is_certain } = &FORMS[index % FORMS.len()];
        let Sample { expression, wrong, whole, parts, mixed } = sample(isobox, tool).await;
        let with = |call: &str| {
            let filled = text.replace("CALL", call).replace("WHOLE", &whole);
            filled.replace("PARTS", &parts).replace("MIXED", &mixed)
        };
        let right = with(&expression);
        count.programs += 1;
        match isobox.check(&Program::single(&right), &[]).await {
            Ok(findings) if findings.is_empty() => {}
            other => failures.push(format!("{}: {other:?}\n{right}", tool.path())),
        }
        let findings = isobox.check(&Program::single(with(&wrong)), &[]).await.unwrap_or_default();
        let is_found = findings
            .iter()
            .any(|finding| finding.code == FindingCode::UnknownTool && finding.certainty == Certainty::Certain);
        count.found += usize::from(is_found);
        if is_found != *is_certain {
            failures.push(format!("{}: found is {is_found}: {findings:?}\n{}", tool.path(), with(&wrong)));
        }
    }
}

fn assert_none(failures: &[String]) {
    let shown: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), shown.join("\n\n"));
}

#[tokio::test]
async fn realistic_programs_over_known_tools_cause_no_false_alarm() {
    let text = std::fs::read_to_string(root().join("search/tools.jsonl")).expect("the tools are there");
    let mut tools = Vec::new();
    for line in text.lines().step_by(3) {
        let tool: Value = serde_json::from_str(line).expect("a tool");
        let names: Vec<&str> = tool["parameters"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        let required: Vec<&str> = names.iter().take(2).copied().collect();
        let schema =
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        let Ok(made) = Tool::new(tool["path"].as_str().expect("a path"), |_| async { Ok(Value::Null) }) else {
            continue;
        };
        tools.push(made.input_schema(schema).expect("a schema"));
    }
    let isobox = Isobox::builder().tools(tools.clone()).build().expect("a runtime");
    let (mut count, mut failures) = (Count::default(), Vec::new());
    check_corpus(&isobox, &tools, &mut count, &mut failures).await;
    println!("{} programs, and {} mistakes were found in as many wrong ones", count.programs, count.found);
    assert_none(&failures);
    assert!(count.programs >= 200 && count.found >= 100, "{} programs, {} found", count.programs, count.found);
}

#[tokio::test]
async fn judged_programs_cause_no_false_alarm() {
    let root = root().join("programs");
    let isobox = Isobox::builder().tools(program_tools(&root).expect("the tools")).build().expect("a runtime");
    let mut failures = Vec::new();
    let programs = load_programs(&root).expect("the programs");
    // These fail when they run.
    let failing = expected_failures(&root).expect("the list");
    for program in &programs {
        if failing.contains(&format!("library::{}", program.name)) {
            continue;
        }
        match isobox.check(&program.program(), &[]).await {
            Ok(findings) if findings.is_empty() => {}
            Ok(findings) => failures.push(format!("{}: {findings:?}", program.name)),
            // Programs that are refused are compared with Node by another test.
            Err(_) => {}
        }
    }
    println!("{} programs", programs.len());
    assert_none(&failures);
    assert!(programs.len() >= 200);
}

#[tokio::test]
async fn realistic_programs_over_public_documents_cause_no_false_alarm() {
    #[expect(clippy::disallowed_methods, reason = "the script names the folder there")]
    let Ok(folder) = std::env::var("ISOBOX_OPENAPI_SAMPLE") else {
        println!("skipped: there are no public documents; ISOBOX_OPENAPI_SAMPLE names their folder");
        return;
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let plain = Isobox::builder().build().expect("a runtime");
    let (mut count, mut failures) = (Count::default(), Vec::new());
    for file in &files {
        let service = OpenApiService::new(Place::File(file.clone())).base_url("https://api.example.com".to_owned());
        let connector: Arc<dyn Connector> = Arc::new(OpenApiConnector::new("api", service, OpenApiOptions::default()));
        let Ok(Ok(offer)) = tokio::time::timeout(Duration::from_secs(30), connector.offer()).await else { continue };
        let mut builder = Catalogue::builder();
        builder.connector(&connector, offer, &ConnectorSettings::default());
        let catalogue = builder.build();
        // Destructive tools need approval, which is no mistake. The general tools take what the others take.
        let is_plain = |tool: &&Tool| !matches!(tool.path().as_str(), "api.request" | "api.pages");
        let tools: Vec<Tool> = catalogue.iter().filter(is_plain).step_by(7).take(40).cloned().collect();
        let isobox = plain.with_catalogue(catalogue).expect("a runtime");
        check_corpus(&isobox, &tools, &mut count, &mut failures).await;
    }
    println!("{} programs over {} documents, {} mistakes were found", count.programs, files.len(), count.found);
    assert_none(&failures);
    assert!(count.programs >= 200, "{} programs", count.programs);
}
