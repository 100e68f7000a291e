// What a server has beside tools and text, behind `isobox mcp` and in front of the official TypeScript client: images, files,
// links, resources, prompts, and a list of tools that changes. See run.py.
//
//   content.mjs ISOBOX FOLDER INSTALLED
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const [isobox, folder, installed] = process.argv.slice(2);
const require = createRequire(join(installed, "package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ToolListChangedNotificationSchema } = require("@modelcontextprotocol/sdk/types.js");

const { everything } = JSON.parse(readFileSync(join(folder, "isobox.json"), "utf8")).mcpServers;
const config = configured("content.json", { everything });
const client = await connect(config);

await check("an image that a program returns is an image for the model, and its bytes are not in the text", async () => {
  const { content, structuredContent } = await execute("return await tools.everything.get_tiny_image()");
  const [text, image, ...others] = content;
  assert.deepEqual(others, []);
  assert.deepEqual([image.type, image.mimeType], ["image", "image/png"]);
  assert.equal(Buffer.from(image.data, "base64").subarray(1, 4).toString(), "PNG");
  assert.match(text.text, /\[image: image\/png, [\d.]+ kB\]/);
  assert.match(structuredContent.result.content[1], /^\[image: image\/png, /);
  assert.ok(!JSON.stringify([text, structuredContent]).includes(image.data.slice(0, 100)));
  const inside = await execute(`
    const { content } = await tools.everything.get_annotated_message({ messageType: "success", includeImage: true });
    return { says: content[0].text, chart: content[1] };
  `);
  assert.equal(inside.content[1].data, image.data, "with the remarks of its server, and inside of another value");
});

await check("a file and links that a program returns are blocks of their own", async () => {
  const file = await execute(`return await tools.everything.get_resource_reference({ resourceType: "Blob", resourceId: 1 })`);
  const resource = file.content.find((block) => block.type === "resource").resource;
  assert.match(Buffer.from(resource.blob, "base64").toString(), /^Resource 1: /);
  assert.match(file.content[0].text, /\[resource: demo:\/\/resource\/dynamic\/blob\/1, text\/plain, \d+ bytes\]/);
  const links = await execute("return await tools.everything.get_resource_links({ count: 2 })");
  assert.deepEqual(links.content.slice(1).map(({ type, uri }) => [type, uri]), [
    ["resource_link", "demo://resource/dynamic/blob/1"],
    ["resource_link", "demo://resource/dynamic/text/2"],
  ]);
  const text = await execute(`return await tools.everything.get_resource_reference({ resourceType: "Text", resourceId: 1 })`);
  assert.equal(text.content.length, 1, "a text is one like any other, marked and cut");
  assert.match(text.content[0].text, /Resource 1: This is a plaintext resource/);
});

await check("a program lists and reads resources", async () => {
  const { structuredContent } = await execute(`
    const { resources } = await tools.everything.resources.list({});
    const { resourceTemplates } = await tools.everything.resources.templates({});
    const document = resources.find(({ name }) => name === "features.md");
    const [text, blob] = await Promise.all([document.uri, "demo://resource/dynamic/blob/7"].map(async (uri) => {
      const { contents } = await tools.everything.resources.read({ uri });
      return contents[0];
    }));
    return { title: text.text.split("\\n")[0], type: text.mimeType, blob: atob(blob.blob).slice(0, 10), templates: resourceTemplates.length };
  `);
  const { title, ...rest } = structuredContent.result;
  assert.match(title, /^# Everything Server/);
  assert.deepEqual(rest, { type: "text/markdown", blob: "Resource 7", templates: 2 });
});

await check("a resource that a tool has made is read in the same program", async () => {
  const { structuredContent } = await execute(`
    const { content } = await tools.everything.gzip_file_as_resource({ name: "a.txt.gz", data: "data:text/plain,hello", outputType: "resourceLink" });
    const { contents } = await tools.everything.resources.read({ uri: content[0].uri });
    return contents[0].blob;
  `);
  assert.equal(gunzipSync(Buffer.from(structuredContent.result, "base64")).toString(), "hello");
});

await check("prompts are functions of their arguments", async () => {
  const { structuredContent } = await execute(`
    const { prompts } = await tools.everything.prompts.list({});
    const [asked, plain] = await Promise.all([
      tools.everything.prompts.args_prompt({ city: "Oslo" }), tools.everything.prompts.simple_prompt(),
    ]);
    return { names: prompts.map(({ name }) => name), asked: asked.messages[0].content.text, roles: plain.messages.map(({ role }) => role) };
  `);
  const { names, asked, roles } = structuredContent.result;
  assert.ok(names.includes("args-prompt") && names.includes("simple-prompt"), names.join());
  assert.deepEqual([asked, roles], ["What's weather in Oslo?", ["user"]]);
  const refused = await client.callTool({ name: "execute", arguments: { code: "return await tools.everything.prompts.args_prompt({})" } });
  assert.equal(refused.structuredContent.error.details.findings[0].code, "INVALID_INPUT");
});

await check("search and types show resources and prompts", async () => {
  const search = async (query) => (await client.callTool({ name: "search", arguments: { query } })).structuredContent.results.map(({ path }) => path);
  assert.equal((await search("read the document about architecture"))[0], "everything.resources.read");
  assert.ok((await search("prompt with arguments")).includes("everything.prompts.args_prompt"));
  const { stdout } = await promisify(execFile)(isobox, ["tools", "types", "everything.prompts.args_prompt", "--config", config]);
  assert.match(stdout, /city: string;[^]*state\?: string;/);
});
await client.close();

await check("a client is told when the tools of a server have changed, and gets the new ones", async () => {
  const script = join(folder, "growing.mjs");
  writeFileSync(script, `
    import { createRequire } from "node:module";
    const require = createRequire(${JSON.stringify(join(installed, "package.json"))});
    const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
    const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
    const server = new McpServer({ name: "growing", version: "1" }, { instructions: "Grow with care." });
    const answer = async () => ({ content: [{ type: "text", text: "done" }] });
    server.registerTool("grow", { description: "Adds a tool." }, async () => {
      server.registerTool("grown", { description: "A new tool." }, answer);
      return answer();
    });
    server.registerTool("same", { description: "Says that something has changed." }, async () => {
      server.sendToolListChanged();
      return answer();
    });
    await server.connect(new StdioServerTransport());
  `);
  const client = await connect(configured("growing.json", { growing: { command: everything.command, args: [script] } }));
  assert.deepEqual(client.getServerCapabilities().tools, { listChanged: true });
  let told = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { told += 1; });
  const describe = async () => (await client.listTools()).tools[0].description;
  const before = await describe();
  assert.ok(before.includes("- growing: Grow with care."), before);
  await client.callTool({ name: "execute", arguments: { code: "return await tools.growing.same()" } });
  await sleep(1500);
  assert.equal(told, 0, "the bytes are the same");
  await client.callTool({ name: "execute", arguments: { code: "return await tools.growing.grow()" } });
  for (const end = Date.now() + 10_000; told === 0 && Date.now() < end;) await sleep(50);
  assert.equal(told, 1);
  assert.match(await describe(), /A new tool\.[^]*grown\(/);
  await client.close();
});

function configured(name, mcpServers) {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

async function connect(config) {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", XDG_STATE_HOME: process.env.XDG_STATE_HOME ?? "" };
  const transport = new StdioClientTransport({ command: isobox, args: ["mcp", "--config", config], env, stderr: "inherit" });
  const client = new Client({ name: "counterparts", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

/** The answer to a program that has to complete. */
async function execute(code) {
  const answer = await client.callTool({ name: "execute", arguments: { code } });
  assert.equal(answer.structuredContent.status, "completed", answer.content[0].text);
  return answer;
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
