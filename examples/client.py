"""An MCP client in place of a model: starts `isobox mcp`, makes one request, and prints what a model would read.

client.py tools | execute FILE | resume ID

Needs the official SDK: pip install mcp
"""

import asyncio
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

ISOBOX = StdioServerParameters(command="isobox", args=["mcp", "--config", "isobox.json"])


async def main(request: str, argument: str = "") -> None:
    async with Client(ISOBOX) as client:
        if request == "tools":
            for tool in (await client.list_tools()).tools:
                print(f"{tool.name} {{ {', '.join(tool.input_schema['properties'])} }}")
            return
        arguments = {"code": Path(argument).read_text()} if request == "execute" else {"executionId": argument}
        answer = await client.call_tool(request, arguments)
        print(answer.content[0].text)


asyncio.run(main(*sys.argv[1:]))
