//# title = "choices are compared as JSON, and a choice that is not written out is not known"
//# tools = "spec"
//# [expect]
//# result = '["red","green","red"]'
//# calls = [["demo.echo", "applied"], ["spec.paint", "applied"], ["spec.paint", "applied"], ["spec.paint", "applied"]]
const coats = await tools.demo.echo(2);
const one = await tools.spec.paint({ colour: 'red', coats, layers: [{ version: 1.0 }] });
const other = await tools.spec.paint({ colour: coats > 1 ? 'green' : 'grey', coats });
const last = await tools.spec.paint({ ...{ colour: 'rde' }, colour: `r${'ed'}`, coats });
return [one.colour, other.colour, last.colour];
