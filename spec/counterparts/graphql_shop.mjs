// A shop on graphql-js, served by graphql-http: graphql_shop.mjs INSTALLED
// `/open` allows introspection, `/closed` does not, and both want the token of the host. `/served` has the documents that were executed.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "node_modules", "index.js"));
const { GraphQLError, NoSchemaIntrospectionCustomRule, buildSchema } = require("graphql");
const { createHandler } = require("graphql-http/lib/use/http");

const schema = buildSchema(`
  scalar DateTime
  enum Size { SMALL LARGE }
  interface Node { id: ID! }
  union Found = Product | Brand
  input Filter { and: [Filter!] name: String size: Size }
  type Query {
    "Lists the products."
    products(first: Int! = 2, after: ID, filter: Filter): ProductConnection!
    product(id: ID!): Product
    find(text: String!): [Found!]!
    node(id: ID!): Node
    add(a: Int!, b: Int!): Int!
    echo(filter: Filter, ids: [ID!], at: DateTime): String
    broken: [Int]
    secret: String
    huge: String
    query: String
    oldest: Product @deprecated(reason: "use \`products\`")
  }
  type Mutation {
    "Adds a product."
    createProduct(name: String!, size: Size = SMALL): Payload
    deleteProduct(id: ID!): Boolean!
    add(name: String!): Product
  }
  type Subscription { changed: Product }
  type ProductConnection { edges: [ProductEdge!]! pageInfo: PageInfo! total: Int! }
  type ProductEdge { node: Product! cursor: ID! }
  type PageInfo { hasNextPage: Boolean! endCursor: ID }
  type Product implements Node {
    id: ID! name: String! size: Size made: DateTime brand: Brand similar: [Product!]! price(currency: String!): Float
  }
  type Brand implements Node { id: ID! name: String! country: Country products(first: Int): [Product!]! }
  type Country { code: String! }
  type Payload { product: Product query: Query }
`);

const brand = { __typename: "Brand", id: "b1", name: "Leaf", country: { code: "IN" }, products: () => products };
const product = (id, name, size) => ({ __typename: "Product", id: String(id), name, size, made: "2026-01-01T00:00:00Z", brand, similar: () => products, price: ({ currency }) => (currency === "EUR" ? 2.5 : null) });
const products = [product(1, "Tea", "SMALL"), product(2, "Cup", "LARGE"), product(3, "Pot", "LARGE")];
const createProduct = ({ name, size }) => {
  products.push(product(products.length + 1, name, size ?? "SMALL"));
  return products.at(-1);
};
const rootValue = {
  products({ first, after, filter }) {
    const matching = products.filter((one) => (!filter?.size || one.size === filter.size) && Number(one.id) > Number(after ?? 0));
    const page = matching.slice(0, first);
    return {
      edges: page.map((node) => ({ node, cursor: node.id })), total: products.length,
      pageInfo: { hasNextPage: matching.length > first, endCursor: page.at(-1)?.id ?? null },
    };
  },
  product: ({ id }) => products.find((one) => one.id === id) ?? null,
  find: ({ text }) => [...products, brand].filter((one) => one.name.includes(text)),
  node: ({ id }) => [...products, brand].find((one) => one.id === id) ?? null,
  // Both roots have it, with other arguments.
  add: ({ a, b, name }) => (name === undefined ? a + b : createProduct({ name })),
  echo: (args) => JSON.stringify(args),
  broken: () => [1, new GraphQLError("the second one is broken"), 3],
  secret: "for the host alone",
  huge: () => "x".repeat(20 << 20),
  query: "a query that is called query",
  oldest: () => products[0],
  createProduct: (args) => ({ product: createProduct(args), query: rootValue }),
  deleteProduct: ({ id }) => products.splice(products.findIndex((one) => one.id === id) >>> 0, 1).length === 1,
};

const served = [];
const handler = (validationRules) => createHandler({
  schema, rootValue, validationRules,
  onOperation: (_, { document }) => void served.push(document.loc.source.body),
});
const open = handler([]), closed = handler([NoSchemaIntrospectionCustomRule]);
let attempts = 0;
const server = createServer((request, response) => {
  const end = (status, headers, body) => response.writeHead(status, headers).end(body);
  if (request.url === "/served") return end(200, { "content-type": "application/json" }, JSON.stringify(served));
  if (request.url === "/html") return end(200, { "content-type": "text/html" }, "<html>");
  if (request.url === "/away") return end(302, { location: "http://169.254.169.254/latest/meta-data" }, "");
  if (request.headers.authorization !== "Bearer token-of-the-host") {
    return end(401, { "content-type": "application/json" }, JSON.stringify({ errors: [{ message: "who are you" }] }));
  }
  if (request.url === "/busy" && ++attempts % 3 !== 0) return end(503, { "retry-after": "0" }, "");
  return request.url === "/closed" ? closed(request, response) : open(request, response);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
