async function* paginate<T>(fetchPage: (page: number) => Promise<T[]>, size: number): AsyncGenerator<T, number, void> {
  let page = 1;
  while (true) {
    const items = await fetchPage(page);
    yield* items;
    if (items.length < size) return page;
    page++;
  }
}

const perPage = 3;
const numbers: number[] = [];
for await (const issue of paginate<any>((page) => tools.github.issues.list({ page, per_page: perPage }), perPage)) {
  if (issue.repo === "infra") break;
  numbers.push(issue.number);
}
return numbers;
