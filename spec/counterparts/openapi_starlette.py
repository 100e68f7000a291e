"""A service on Starlette that answers with what Starlette and python-multipart have read from a request."""

import asyncio
import base64

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


async def echo(request: Request) -> JSONResponse:
    return JSONResponse(
        {
            "path": request.path_params,
            "query": request.query_params.multi_items(),
            "cookies": request.cookies,
            "header": request.headers.get("x-list"),
        }
    )


async def form(request: Request) -> JSONResponse:
    fields = []
    async with request.form() as form:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields.append([name, value])
            else:
                content = base64.b64encode(await value.read()).decode()
                fields.append([name, {"file": value.filename, "type": value.content_type, "data": content}])
    return JSONResponse(fields)


async def image(request: Request) -> Response:
    return Response(b"\x89PNG\x00\xff", media_type="image/png")


async def raw(request: Request) -> JSONResponse:
    body = await request.body()
    return JSONResponse({"type": request.headers["content-type"], "body": base64.b64encode(body).decode()})


async def main() -> None:
    routes = [
        Route("/echo/{value}", echo),
        Route("/echo", echo),
        Route("/form", form, methods=["POST"]),
        Route("/image", image),
        Route("/raw", raw, methods=["PUT"]),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), host="127.0.0.1", port=0, log_level="error"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await serving


asyncio.run(main())
