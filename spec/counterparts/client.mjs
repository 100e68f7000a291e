// The official TypeScript client in front of `isobox mcp`, and the command line over the same configuration. See run.py.
//
//   client.mjs ISOBOX FOLDER INSTALLED
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const [isobox, folder, installed] = process.argv.slice(2);
const require = createRequire(join(installed, "package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");

const config = join(folder, "isobox.json");
const people = join(folder, "files", "people.csv");
const outside = join(folder, "outside.txt");

const [first, second] = [await connect(), await connect()];
const { client } = first;

let description;
await check("there are exactly three tools, in the same bytes every time", async () => {
  const lists = [];
  for (const one of [client, client, second.client]) lists.push(JSON.stringify(await one.listTools()));
  assert.equal(lists[1], lists[0]);
  assert.equal(lists[2], lists[0], "another process says the same");
  const { tools } = JSON.parse(lists[0]);
  assert.deepEqual(tools.map((tool) => tool.name), ["execute", "search", "resume"]);
  description = tools[0].description;
});
await second.client.close();

await check("the description names the namespaces", () => {
  for (const namespace of [/\beverything \(\d+\)/, /\bfilesystem \(\d+\)/, /\bmemory \(\d+\)/]) {
    assert.match(description, namespace);
  }
});

await check("a namespace is described by words, not by a Markdown heading of its server's instructions", () => {
  const heading = description.match(/^- \w+ \(\d+\): #.{0,60}/m);
  assert.ok(heading === null, String(heading));
});

await check("search finds tools of all servers", async () => {
  const read = await search("read a text file");
  assert.ok(paths(read).slice(0, 3).includes("filesystem.read_text_file"), paths(read).join());
  const create = await search("create entities in the knowledge graph");
  assert.equal(paths(create)[0], "memory.create_entities");
  const sum = await search("add two numbers", 1);
  assert.deepEqual(paths(sum), ["everything.get_sum"]);
  const write = (await search("write a file")).results.find((one) => one.path === "filesystem.write_file");
  assert.equal(write.requiresApproval, true);
});

await check("a namespace that a query names comes first", async () => {
  const found = paths(await search("store a person in memory"));
  assert.match(found[0], /^memory\./, found.slice(0, 3).join(", "));
});

await check("what the description of `search` promises is in its results", async () => {
  const { tools } = await client.listTools();
  if (!/with their types/.test(tools[1].description)) return;
  for (const one of (await search("read a text file")).results) {
    assert.equal(typeof one.types, "string", `${one.path} has no types`);
  }
});

await check("a program joins two servers", async () => {
  const outcome = await completed(`
    const { content } = await tools.filesystem.read_text_file({ path: ${JSON.stringify(people)} });
    const rows: string[][] = content.trim().split("\\n").slice(1).map((line) => line.split(","));
    await tools.memory.create_entities({
      entities: rows.map(([name, city]) => ({ name, entityType: "person", observations: [\`lives in \${city}\`] })),
    });
    const { entities } = await tools.memory.read_graph();
    return entities.map(({ name, entityType, observations }) => ({ name, entityType, observations }));
  `);
  assert.deepEqual(outcome.result, [
    { name: "Ada", entityType: "person", observations: ["lives in London"] },
    { name: "Grace", entityType: "person", observations: ["lives in New York"] },
  ]);
  assert.deepEqual(outcome.calls.map((call) => [call.path, call.state]), [
    ["filesystem.read_text_file", "applied"],
    ["memory.create_entities", "applied"],
    ["memory.read_graph", "applied"],
  ]);
  assert.match(readFileSync(join(folder, "memory", "graph.jsonl"), "utf8"), /"Grace"/);
});

await check("calls of several servers run side by side", async () => {
  const outcome = await completed(`
    const [sum, weather, { entities }, { content }] = await Promise.all([
      tools.everything.get_sum({ a: 19, b: 23 }),
      tools.everything.get_structured_content({ location: "Chicago" }),
      tools.memory.open_nodes({ names: ["Ada"] }),
      tools.filesystem.list_directory({ path: ${JSON.stringify(join(folder, "files"))} }),
    ]);
    return { sum, weather: Object.keys(weather).sort(), entities: entities.map(({ name }) => name), content };
  `);
  assert.deepEqual(outcome.result, {
    sum: "The sum of 19 and 23 is 42.",
    weather: ["conditions", "humidity", "temperature"],
    entities: ["Ada"],
    content: "[FILE] people.csv",
  });
});

await check("the progress of a server reaches the client", async () => {
  const told = [];
  const code = "return await tools.everything.trigger_long_running_operation({ duration: 1, steps: 2 })";
  const onprogress = ({ message }) => told.push(message);
  const answer = await client.callTool({ name: "execute", arguments: { code } }, undefined, { onprogress });
  assert.equal(answer.isError, false, JSON.stringify(answer));
  const path = "everything.trigger_long_running_operation";
  assert.deepEqual(told.slice(0, 2), [path, `${path}: 1/2`]);
});

await check("an image and links arrive as the server gave them", async () => {
  const { result } = await completed(`
    const [image, links] = await Promise.all([
      tools.everything.get_tiny_image(), tools.everything.get_resource_links({ count: 2 }),
    ]);
    return [image, links].map(({ content }) => content.map((block) => block.mimeType ?? block.type));
  `);
  assert.deepEqual(result, [["text", "image/png", "text"], ["text", "text/plain", "text/plain"]]);
});

await check("servers get their own environment, not that of Isobox", async () => {
  const { result } = await completed(`return await tools.everything.get_env()`);
  assert.equal(result.GREETING, "hello from the configuration");
  assert.equal(result.COUNTERPARTS_SECRET, undefined);
});

await check("an error of a server is one of the program", async () => {
  const code = `// Not in the folder of the server.\nreturn await tools.filesystem.read_text_file({ path: ${JSON.stringify(outside)} })`;
  const { error, text } = await failed(code);
  assert.equal(error.code, "TOOL");
  assert.match(error.message, /^Access denied - path outside allowed directories: .*outside\.txt/);
  assert.equal(error.line, 2);
  assert.equal(error.details.tool, "filesystem.read_text_file");
  assert.match(text, /^TOOL: ToolError: Access denied .*line 2, column \d+/);

  const caught = await completed(`
    try { await tools.memory.add_observations({ observations: [{ entityName: "Nobody", contents: ["x"] }] }) }
    catch ({ name, code, message }) { return { name, code, message } }
  `);
  assert.deepEqual(caught.result, { name: "ToolError", code: "TOOL", message: "Entity with name Nobody not found" });
});

await check("a syntax error has its line and column", async () => {
  const { error, text } = await failed("const a = 1;\nconst b = ;\nreturn a + b");
  assert.equal(error.code, "SYNTAX");
  assert.deepEqual([error.line, error.column], [2, 11]);
  assert.match(text, /line 2, column 11/);
});

await check("an unknown tool names the nearest", async () => {
  const { error } = await failed(`return await tools.filesystem.read_txt_file({ path: "a" })`);
  assert.equal(error.code, "CHECK");
  assert.equal(error.details.findings[0].code, "UNKNOWN_TOOL");
  assert.match(error.message, /did you mean `filesystem\.read_text_file`/);
  const namespace = await failed(`return await tools.memmory.read_graph()`);
  assert.match(namespace.error.message, /did you mean `memory\.read_graph`/);
});

await check("a misspelt key names the right one", async () => {
  const { error } = await failed(`return await tools.filesystem.read_text_file({ pth: "a" })`);
  assert.equal(error.code, "CHECK");
  assert.equal(error.details.findings[0].code, "INVALID_INPUT");
  assert.match(error.message, /"path" .*`pth`/);
  const nested = await failed(
    `return await tools.memory.create_entities({ entities: [{ name: "a", entitytype: "b", observations: [] }] })`,
  );
  assert.match(nested.error.message, /\/entities\/0: "entityType" .*`entitytype`/);
});

await check("a call that needs approval waits for a person, and its outcome is collected", async () => {
  const made = join(folder, "files", "made");
  for (const [call, why] of [
    [`filesystem.write_file({ path: ${JSON.stringify(made)}, content: "x" })`, "`filesystem.write*`"],
    [`filesystem.create_directory({ path: ${JSON.stringify(made)} })`, "`filesystem.create_directory`"],
    [`memory.delete_entities({ entityNames: ["Ada"] })`, "destroy"],
  ]) {
    const execute = { name: "execute", arguments: { code: `return await tools.${call}` } };
    const { isError, content, structuredContent: paused } = await client.callTool(execute);
    assert.deepEqual([isError ?? false, paused.status], [false, "paused"], content[0].text);
    assert.ok(paused.pending[0].why.includes(why), paused.pending[0].why);
    const { executionId } = paused;
    const resume = () => client.callTool({ name: "resume", arguments: { executionId } });
    assert.equal((await resume()).structuredContent.status, "paused", "a model cannot decide");
    assert.ok(content[0].text.includes(executionId), content[0].text);
    assert.ok(!content[0].text.includes("executions approve"), "a model is not told how to decide");
    const denied = promisify(execFile)(isobox, ["executions", "deny", executionId, "0", "--config", config]);
    assert.equal((await denied.then(() => assert.fail("it is a failure"), (error) => error)).code, 1);
    const outcome = await resume();
    assert.deepEqual([outcome.isError, outcome.structuredContent.error.code], [true, "APPROVAL_DENIED"]);
  }
  assert.equal(existsSync(made), false);
});

await check("a wrong call of Isobox itself says what is wrong", async () => {
  const wrong = (call) => client.callTool(call).then(() => assert.fail("it was taken"), (error) => error);
  const missing = await client.callTool({ name: "execute", arguments: { cod: "return 1" } });
  assert.equal(missing.isError, true);
  assert.match(missing.content[0].text, /`code` is missing/);
  assert.match((await wrong({ name: "run", arguments: {} })).message, /The tools are `execute`, `search` and `resume`/);
});

await check("a call that the client gives up is cancelled, and the next one works", async () => {
  const code = `await tools.everything.trigger_long_running_operation({ duration: 120, steps: 1 })`;
  const giveUp = AbortSignal.timeout(300);
  const call = client.callTool({ name: "execute", arguments: { code } }, undefined, { signal: giveUp });
  await assert.rejects(call);
  assert.equal((await completed(`return await tools.everything.echo({ message: "here" })`)).result, "Echo: here");
});

await check("a tool that can only be called as a task is not offered, or works", async () => {
  const path = "everything.simulate_research_query";
  if (!(await listed()).some((tool) => tool.path === path)) return;
  await completed(`return await tools.${path}({ topic: "rain" })`);
});

await check("closing ends isobox and all servers", async () => {
  const servers = children(first.transport.pid);
  assert.equal(servers.length, 3);
  const all = [first.transport.pid, ...servers];
  await client.close();
  await gone(all);
});

await check("closing while a call is under way ends isobox and all servers", async () => {
  const { client, transport } = await connect();
  await client.listTools();
  const servers = children(transport.pid);
  const code = `await tools.everything.trigger_long_running_operation({ duration: 60, steps: 1 })`;
  const call = client.callTool({ name: "execute", arguments: { code } }).catch(() => {});
  await sleep(500);
  // The client waits 2 seconds for Isobox to end, then it sends SIGTERM.
  await Promise.all([client.close(), call]);
  try {
    await gone([transport.pid, ...servers], 5);
  } finally {
    for (const id of servers.filter(isThere)) process.kill(id, "SIGKILL");
  }
});

await check("a question of a server reaches the person at the client, and the program goes on with the answer", async () => {
  const questions = [];
  const { client } = await connect({ elicitation: {} });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params);
    return { action: "accept", content: { name: "Ada", check: true } };
  });
  const code = "return JSON.stringify(await tools.everything.trigger_elicitation_request({}))";
  const { structuredContent } = await client.callTool({ name: "execute", arguments: { code } });
  assert.equal(structuredContent.status, "completed", JSON.stringify(structuredContent));
  assert.match(structuredContent.result, /Ada/);
  assert.equal(questions.length, 1);
  assert.match(questions[0].message, /^everything asks: /);
  assert.ok(questions[0].requestedSchema.properties.name, JSON.stringify(questions[0]));
  await client.close();
});

await check("isobox tools list", async () => {
  const tools = await listed();
  const count = (namespace) => tools.filter((tool) => tool.path.startsWith(`${namespace}.`)).length;
  assert.ok(count("everything") > 5 && count("filesystem") > 5 && count("memory") === 12, tools.map((tool) => tool.path).join());
  const asks = (path) => tools.find((tool) => tool.path === path).requiresApproval;
  assert.deepEqual(["filesystem.write_file", "filesystem.create_directory", "memory.read_graph"].map(asks), [true, true, false]);
  const sum = tools.find((tool) => tool.path === "everything.get_sum");
  assert.deepEqual(sum.inputSchema.required, ["a", "b"]);
  const { stdout } = await command("tools", "list");
  assert.equal(stdout.trimEnd().split("\n").length, tools.length);
});

await check("isobox tools search", async () => {
  const { stdout } = await command("tools", "search", "read", "a", "text", "file");
  assert.match(stdout, /^filesystem\.read_text_file /m);
  const found = JSON.parse((await command("tools", "--json", "search", "--limit", "1", "create entities")).stdout);
  assert.deepEqual(paths(found), ["memory.create_entities"]);
});

await check("a search that has more results is no error", async () => {
  const { stderr } = await command("tools", "search", "--limit", "1", "file");
  assert.doesNotMatch(stderr, /^error:/m, stderr);
});

await check("isobox tools types", async () => {
  const { stdout } = await command("tools", "types");
  for (const part of ["declare const tools: {", "  everything: {", "  filesystem: {", "  memory: {"]) {
    assert.ok(stdout.includes(part), part);
  }
  assert.match(stdout, /get_sum\(input: \{[^}]*\ba: number;[^}]*\bb: number;/);
  assert.match((await command("tools", "types", "memory.read_graph")).stdout, /read_graph\(\): Promise<\{\s+entities: /);
});

async function connect(capabilities = {}) {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", COUNTERPARTS_SECRET: "stays here" };
  const transport = new StdioClientTransport({ command: isobox, args: ["mcp", "--config", config], env, stderr: "inherit" });
  const client = new Client({ name: "counterparts", version: "1.0.0" }, { capabilities });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "isobox");
  return { client, transport };
}

/** The structured outcome of a program that has to complete. */
async function completed(code) {
  const { isError, content, structuredContent } = await client.callTool({ name: "execute", arguments: { code } });
  assert.ok(!isError, content[0].text);
  assert.equal(structuredContent.status, "completed");
  return structuredContent;
}

/** The error of a program that has to fail, and what a model reads of it. */
async function failed(code) {
  const { isError, content, structuredContent } = await client.callTool({ name: "execute", arguments: { code } });
  assert.equal(isError, true, content[0].text);
  assert.equal(structuredContent.status, "failed");
  assert.ok(content[0].text.startsWith(`${structuredContent.error.code}: `), content[0].text);
  return { error: structuredContent.error, text: content[0].text };
}

async function search(query, limit) {
  const { isError, structuredContent } = await client.callTool({ name: "search", arguments: { query, limit } });
  assert.ok(!isError);
  return structuredContent;
}

function paths(found) {
  return found.results.map((one) => one.path);
}

async function listed() {
  return JSON.parse((await command("tools", "list", "--json")).stdout).tools;
}

/** Runs the command line over the configuration; it has to succeed. */
function command(...words) {
  return promisify(execFile)(isobox, [...words, "--config", config], { maxBuffer: 1 << 26 });
}

function children(parent) {
  const found = [];
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      // After the name of the program, which is in parentheses and may contain anything: the state, then the parent.
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      if (Number(fields[1]) === parent) found.push(Number(name));
    } catch (error) {
      if (!["ENOENT", "ESRCH"].includes(error.code)) throw error;
    }
  }
  return found;
}

async function gone(processes, seconds = 10) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
    if (!processes.some(isThere)) return;
  }
  assert.fail(`${processes.filter(isThere).length} of ${processes.length} processes are still there`);
}

function isThere(id) {
  return existsSync(`/proc/${id}`);
}

async function check(name, body) {
  try {
    await body();
  } catch (error) {
    console.error(`FAILED  ${name}\n${error.stack}`);
    process.exit(1);
  }
  console.log(`ok      ${name}`);
}
