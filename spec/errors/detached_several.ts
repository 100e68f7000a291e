//# title = "several calls that are left are counted"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"], ["demo.echo", "issued"], ["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.echo` was never awaited (and 2 more)'
//# line = 12
//# column = 12
tools.demo.echo({});
tools.demo.echo({});
tools.demo.echo({});
return 1;
