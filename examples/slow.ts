// Takes a minute, so that there is time to kill its process: crash.sh does.
await tools.files.create_directory({ path: "reports" });
await tools.files.write_file({ path: "reports/started.md", content: "" });
await tools.demo.wait({ ms: 60_000 });
return "it was worth waiting for";
