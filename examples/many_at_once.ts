// Reads many files at once, of which some are missing, and says what it could not read. Isobox makes at most 32 calls at a time.
// Run it with: isobox run --config examples/isobox.json examples/many_at_once.ts

const wanted = [...Array(60).keys()].map((day) => new Date(Date.UTC(2026, 9, 1 + day)).toISOString().slice(0, 10));
const read = await Promise.allSettled(wanted.map((day) => tools.files.read_text_file({ path: `orders/${day}.csv` })));

const found = wanted.filter((_, index) => read[index].status === "fulfilled");
const failed = read.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
return { wanted: wanted.length, found, failed: failed.length, codes: [...new Set(failed)] };
