"""An MCP server over HTTP that only people who have logged in may use, made with the official package.

    remote_server.py PORT [ISSUER]

With ISSUER, requests need a token of that authorization server with the scope `tools`.
"""

import asyncio
import json
import sys
import time
import urllib.request

import jwt
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

PORT = int(sys.argv[1])
ISSUER = sys.argv[2] if len(sys.argv) > 2 else None
OWN = f"http://127.0.0.1:{PORT}/mcp"


class Verifier(TokenVerifier):
    async def verify_token(self, token: str) -> AccessToken | None:
        return await asyncio.to_thread(self.verify, token)

    def verify(self, token: str) -> AccessToken | None:
        keys = json.load(urllib.request.urlopen(f"{ISSUER}/jwks", timeout=10))
        head = jwt.get_unverified_header(token)
        key = next(key for key in keys["keys"] if key["kid"] == head["kid"])
        try:
            claims = jwt.decode(token, jwt.PyJWK(key).key, algorithms=["RS256"], audience=OWN, issuer=ISSUER)
        except jwt.PyJWTError:
            return None
        return AccessToken(token=token, client_id=claims["client_id"], scopes=claims["scope"].split(), expires_at=claims["exp"],
                           resource=OWN, subject=claims["sub"])


guarded = {} if ISSUER is None else {
    "token_verifier": Verifier(),
    "auth": AuthSettings(issuer_url=ISSUER, resource_server_url=OWN, required_scopes=["tools"]),
}
server = MCPServer("remote", instructions="Be gentle.", **guarded)


@server.tool()
def now() -> float:
    """Tells the time."""
    return time.time()


@server.tool()
async def weather(context: Context) -> str | InputRequiredResult:
    """Tells the weather of a city that it asks for."""
    if context.input_responses is None:
        schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
        question = ElicitRequest(params=ElicitRequestFormParams(message="Which city?", requested_schema=schema))
        return InputRequiredResult(input_requests={"city": question}, request_state="asked for a city")
    answer = context.input_responses["city"]
    return f"{context.request_state}: sunny in {answer.content['city']}" if answer.action == "accept" else answer.action


@server.tool()
async def slow(context: Context, steps: int) -> str:
    """Works in steps, and tells how far it is."""
    for step in range(steps):
        await context.report_progress(step + 1, steps)
        await asyncio.sleep(0.4)
    return "done"


server.run("streamable-http", host="127.0.0.1", port=PORT)
