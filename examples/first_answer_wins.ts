// Asks two sources and takes the first answer. The other call is waited for before the execution ends, and cancelled if it takes
// too long. Run it with: isobox run --demo examples/first_answer_wins.ts

const late = new Promise((resolve) => setTimeout(() => resolve("no answer within 200 ms"), 200));
const first = await Promise.race([tools.weather.current({ city: "Rome" }), tools.demo.wait({ ms: 100 }), late]);
return { first };
