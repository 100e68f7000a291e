// An authorization server: `oidc-provider`, with registration of clients, PKCE and resource indicators.
//
//     authorization.mjs INSTALLED PORT RESOURCE
//
// RESOURCE is the address of the server that tokens are for. Tokens live for two seconds, so that they are refreshed.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [installed, port, resource] = process.argv.slice(2);
const require = createRequire(`${installed}/package.json`);
const { default: Provider } = await import(pathToFileURL(require.resolve("oidc-provider")).href);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  scopes: ["openid", "offline_access", "tools", "admin"],
  clientDefaults: { token_endpoint_auth_method: "none", id_token_signed_response_alg: "RS256" },
  clients: [
    {
      client_id: "machine", client_secret: "the-secret-of-the-machine", grant_types: ["client_credentials"], redirect_uris: [],
      response_types: [], token_endpoint_auth_method: "client_secret_basic",
    },
  ],
  features: {
    clientCredentials: { enabled: true },
    registration: { enabled: true },
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicator) => {
        if (indicator !== resource) throw new Error(`unknown resource ${indicator}`);
        return { scope: "tools admin", audience: resource, accessTokenTTL: 2, accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } };
      },
    },
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
