async function main() {
  const repos = await tools.github.repos.list({ private: true });
  console.log(`Found ${repos.length} private repos`);
  return repos.map((r) => r.name);
}

main().catch((error) => {
  console.error('Error:', error.message);
});
