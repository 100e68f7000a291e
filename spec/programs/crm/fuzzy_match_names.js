/**
 * Fuzzy matching of user input against customer names (Levenshtein).
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function levenshtein(a, b) {
  const dp = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) dp[0][j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      dp[i][j] = a[i - 1] === b[j - 1]
        ? dp[i - 1][j - 1]
        : 1 + Math.min(dp[i - 1][j], dp[i][j - 1], dp[i - 1][j - 1]);
    }
  }
  return dp[a.length][b.length];
}

async function main() {
  const { items } = await tools.crm.customers.list({ limit: 100 });
  const inputs = ['acme gmhb', 'Jupitr Labs', 'harbour lights', 'fjord and son'];
  return inputs.map((input) => {
    const [best] = items
      .map((c) => ({ name: c.name, distance: levenshtein(input.toLowerCase(), c.name.toLowerCase()) }))
      .sort((x, y) => x.distance - y.distance);
    return { input, ...best, confidence: +(1 - best.distance / Math.max(input.length, best.name.length)).toFixed(3) };
  });
}

main();
