/** What people paste, and what is in it. All hold the same request, as far as their kind can. */
export const messages = [
  { role: 'user', content: 'What\'s in Lisbon?\nAnd "Porto"? é 😀' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Lisbon"}' } }],
  },
]
export const body = { model: 'gpt-5', messages, temperature: 0 }

const json = (value: unknown): string => JSON.stringify(value)
const pretty = JSON.stringify(body, null, 2)
const url = 'https://api.openai.com/v1/chat/completions'
const header = '-H "Authorization: Bearer sk-SECRET"'
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const double = (text: string): string => `"${text.replace(/["\\$`]/g, '\\$&')}"`
const ansi = (text: string): string =>
  `$'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('é', '\\xc3\\xa9').replaceAll('?', '\\u003f')}'`
const carets = (text: string): string =>
  `^"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/["\\{}[\]&]/g, '^$&')}^"`
const backticks = (text: string): string => `"${text.replace(/["`$]/g, '`$&')}"`

const python = (value: unknown): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  return `{${Object.entries(value)
    .map(([key, one]) => `${python(key)}: ${python(one)}`)
    .join(', ')}}`
}
const keywords = (value: object): string =>
  Object.entries(value)
    .map(([key, one]) => `${key}=${python(one)}`)
    .join(', ')
const instances = `[{'role': 'user', 'content': ${python(messages[0].content)}}, ChatCompletionMessage(content=None, role='assistant', tool_calls=[ChatCompletionMessageFunctionToolCall(id='call_1', type='function', function=Function(name='look', arguments='{"city":"Lisbon"}'))])]`
const inspected = `{ model: 'gpt-5', temperature: 0, messages: [ { role: 'user', content: ${python(messages[0].content)} },
  { role: 'assistant', content: null, tool_calls: [ { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"city":"Lisbon"}' } } ] } ] }`
const har = (...texts: string[]): object => ({
  log: {
    entries: [
      { request: { url: 'https://a.example/x.js' } },
      ...texts.map(text => ({
        request: { url, headers: [{ name: 'authorization', value: 'sk-SECRET' }], postData: { text } },
      })),
    ],
  },
})

const har64 = (text: string): object => ({
  log: {
    entries: [{ request: { url, postData: { encoding: 'base64', text: Buffer.from(text).toString('base64') } } }],
  },
})

/** Name, text, the kind that is said, and where it is. */
export const requests: readonly (readonly [name: string, text: string, kind: string, at: string])[] = [
  ['curl, single quotes', `curl ${url} \\\n  ${header} \\\n  -d ${single(json(body))}\n`, 'a curl command', ''],
  [
    'curl, a prompt and several lines',
    `$ curl -sS -X POST '${url}' ${header} --data-binary ${single(pretty)} | jq .`,
    'a curl command',
    '',
  ],
  ['curl, double quotes', `curl --json ${double(json(body))} ${url}`, 'a curl command', ''],
  ['curl, quotes with $', `curl '${url}' --data-raw ${ansi(json(body))} --compressed`, 'a curl command', ''],
  ['curl, joined flags', `curl -sSXPOST ${url} -d${single(json(body))}`, 'a curl command', ''],
  [
    'curl for cmd.exe',
    `curl ^"${url}^" ^\r\n  -H ^"authorization: sk-SECRET^" ^\r\n  --data-raw ${carets(json(body))}`,
    'a curl command',
    '',
  ],
  ['curl with a here-document', `curl ${url} ${header} -d @- <<'EOF'\n${pretty}\nEOF\n`, 'a curl command', ''],
  ['curl in a text', `This fails:\n\ncurl ${url} -d ${single(json(body))}\n\nWhy?`, 'a curl command', ''],
  [
    'echo piped into curl',
    `OPENAI_API_KEY=sk-SECRET time echo ignored\necho ${single(json(body))} | curl -sS ${url} -d @-`,
    'a curl command',
    '',
  ],
  [
    'curl in a variable of a script',
    `#!/bin/sh\nset -e\nRESPONSE=$(curl -s ${url} \\\n  ${header} --data-raw ${single(pretty)})\necho "$RESPONSE"`,
    'a curl command',
    '',
  ],
  [
    'curl with the body in a variable',
    `BODY=${single(pretty)}\nOPENAI_API_KEY=sk-SECRET curl ${url} -d "$BODY"`,
    'a curl command',
    '',
  ],
  [
    'curl with the body from $(cat)',
    `curl ${url} -d "$(cat <<'EOF'\n${pretty}\nEOF\n)" ${header}`,
    'a curl command',
    '',
  ],
  ['cat piped into curl', `cat <<'END' | curl ${url} -d @- ${header}\n${pretty}\nEND`, 'a curl command', ''],
  ['curl with a here-string', `curl ${url} -d @- <<< ${single(json(body))}`, 'a curl command', ''],
  [
    'the curl command that LiteLLM logs',
    `\u001b[92m\nPOST Request Sent from LiteLLM:\ncurl -X POST \\\n${url} \\\n-H 'Authorization: Be****ET' \\\n-d '${python(body)}'\n\u001b[0m`,
    'a curl command',
    '',
  ],
  ['wget', `wget -qO- --header='a: sk-SECRET' --post-data=${single(json(body))} ${url}`, 'a wget command', ''],
  ['HTTPie', `http POST ${url} Authorization:sk-SECRET <<< ${single(json(body))}`, 'an HTTPie command', ''],
  [
    'PowerShell',
    `Invoke-WebRequest -UseBasicParsing -Uri "${url}" -Method "POST" -Headers @{"a"="sk-SECRET"} -Body ${backticks(json(body))}`,
    'a PowerShell command',
    '',
  ],
  ['a HAR', json(har(json(body))), 'a HAR', 'request 2'],
  [
    'fetch copied from a browser',
    `fetch("${url}", {\n  "headers": { "authorization": "sk-SECRET" },\n  "body": ${json(json(body))},\n  "method": "POST"\n});`,
    'a Python or JavaScript value',
    '[1].body',
  ],
  ['a JSON string', json(json(body)), 'a JSON string', ''],
  ['a JSON string in a JSON string', json(json(json(body))), 'a JSON string', ''],
  [
    'a record',
    json({
      time: 1,
      request: { headers: { a: 'sk-SECRET' }, body },
      response: { choices: [{ message: messages[1] }] },
    }),
    'a record',
    'request.body',
  ],
  ['a record with text', json({ a: [{ b: { payload: json(body) } }] }), 'a record', 'a[0].b.payload'],
  ['a record with an answer', json({ request: body, output: messages }), 'a record', 'request'],
  [
    'a record of a batch',
    json({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body }),
    'a record',
    'body',
  ],
  [
    'a record with a log line',
    json({ log: `12:00 sending ${json(body)}\n`, stream: 'stderr' }),
    'a record',
    'log, line 1',
  ],
  ['JSON text without its quotes', json(json(body)).slice(1, -1), 'escaped JSON', ''],
  ['a field of logfmt', `level=debug msg="a request" body=${json(json(body))} status=400`, 'text', 'line 1'],
  ['a HAR in base64', json(har64(json(body))), 'a HAR', 'request 1'],
  ['a Python value', python(body), 'a Python or JavaScript value', ''],
  ['a Python value with a trailing comma', `${python(body).slice(0, -1)},}`, 'a Python or JavaScript value', ''],
  [
    'objects of an SDK, as Python prints them',
    `{'model': 'gpt-5', 'messages': ${instances}, 'temperature': 0}`,
    'a Python or JavaScript value',
    '',
  ],
  [
    'Python bytes',
    `b'${json(body).replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('é', '\\xc3\\xa9').replaceAll('😀', '\\xf0\\x9f\\x98\\x80')}'`,
    'a Python string',
    '',
  ],
  ['a Python call', `client.chat.completions.create(${keywords(body)})`, 'a Python or JavaScript value', ''],
  [
    'Python code',
    `import openai\nclient = openai.OpenAI()\nresponse = client.chat.completions.create(\n    ${keywords(body)},  # the request\n)\nprint(response)\n`,
    'text',
    'line 3',
  ],
  [
    'a call of the Python library requests',
    `requests.post("${url}", headers={"Authorization": "sk-SECRET"}, json=${python(body)})`,
    'a Python or JavaScript value',
    'json',
  ],
  [
    'a value printed by rich',
    `[\n${[messages[0], messages[1]].map(one => `│   ${python(one)}`).join(',\n')}\n]`,
    'a Python or JavaScript value',
    '',
  ],
  [
    'a value with objects around the history',
    `{'model': 'gpt-5', 'timeout': <httpx.Timeout object at 0x7f>, 'tools': NOT_GIVEN, 'messages': ${python(messages)}, 'temperature': 0}`,
    'a Python or JavaScript value',
    '',
  ],
  ['a value printed by Node', inspected, 'a Python or JavaScript value', ''],
  [
    'JSON with comments',
    pretty.replace('"messages"', '// what was said /* in full */\n  /* a [ */ "messages"'),
    'a Python or JavaScript value',
    '',
  ],
  [
    'a log line of Python',
    `2026-11-17 12:00:00,123 DEBUG [openai._base_client] Request options: {'method': 'post', 'url': '/chat/completions', 'json_data': ${python(body)}}`,
    'text',
    'line 1, json_data',
  ],
  ['a log line of JSON', `[2026-11-17 12:00:00] [INFO] sending ${json(body)} to the model`, 'text', 'line 1'],
  ['server-sent events', `event: request\ndata: ${json(body)}\n\ndata: [DONE]\n`, 'text', 'line 2'],
  ['Markdown', `It fails:\n\n\`\`\`json\n${pretty}\n\`\`\`\n\nthanks`, 'Markdown', 'block 1'],
  [
    'a quoted reply',
    `\`\`\`json\n${pretty}\n\`\`\``
      .split('\n')
      .map(line => `> ${line}`)
      .join('\n'),
    'Markdown',
    'block 1',
  ],
  ['Markdown with curl', `~~~sh\ncurl ${url} -d ${single(json(body))}\n~~~`, 'Markdown', 'block 1'],
  ['Markdown with Python', `\`\`\`python\nmessages = ${python(body)}\n\`\`\``, 'Markdown', 'block 1, line 1'],
]

/** Several requests that are all meant. */
export const series: readonly (readonly [name: string, text: string, kind: string, at: readonly string[]])[] = [
  ['a HAR', json(har(json(body), '{}', json(body))), 'a HAR', ['request 2', 'request 4']],
  ['a list of lists', json([messages, messages]), 'a list', ['[0]', '[1]']],
  ['a list of requests', json([body, body]), 'a list', ['[0]', '[1]']],
  [
    'an export',
    json({
      conversations: [
        { id: 1, messages },
        { id: 2, messages },
      ],
    }),
    'a record',
    ['conversations[0]', 'conversations[1]'],
  ],
  ['JSON lines', `${json({ body })}\n${json({ body })}\n`, 'JSON lines', ['line 1, body', 'line 2, body']],
  ['log lines', `INFO ${json(body)}\nINFO ready\nINFO ${json(body)}`, 'text', ['line 1', 'line 3']],
  [
    'curl commands',
    `curl ${url} -d ${single(json(body))}\ncurl ${url} -d ${single(json(body))}\n`,
    'curl commands',
    ['command 1', 'command 2'],
  ],
]

/** What is refused, and why. */
export const refused: readonly (readonly [name: string, text: string, problem: RegExp])[] = [
  ['a body in a file', `curl ${url} -d @body.json`, /in another file/],
  ['curl without a body', `curl ${url} ${header}`, /without a body/],
  [
    'a body with a quote that ends it early',
    `curl ${url} -d '{"messages":[{"role":"user","content":"don't"}]}'`,
    /not JSON/,
  ],
  [
    'a value that Node abbreviates',
    "[ { role: 'user', content: [ [Object] ] } ]",
    /the log has left out a value: \[Object\]/,
  ],
  ['a variable that is not set', `curl ${url} -d "$BODY"`, /is the variable BODY/],
  [
    'an object in a message, as Python prints it',
    "[{'role': 'user', 'content': 'x', 'at': <object at 0x7f>}]",
    /did not write out/,
  ],
  ['a variable instead of a value', "{'messages': messages}", /messages is a name/],
  ['an f-string', `{'messages': [{'role': 'user', 'content': f'{x}'}]}`, /f-string is code/],
  ['an object in place of a message', "{'messages': [<object at 0x7f>]}", /did not write out/],
  ['a value that breaks off', `sending ${python(body).slice(0, -20)}`, /cannot be read/],
]

export const langchain =
  "[HumanMessage(content='hi', additional_kwargs={}), AIMessage(content='', tool_calls=[{'name': 'f', 'args': {}, 'id': 'c1', 'type': 'tool_call'}]), ToolMessage(content='x', tool_call_id='c1')]"

/** Values that are written out, as Python prints them, and as they are read. */
export const pythonValues: readonly (readonly [text: string, value: unknown])[] = [
  ['datetime.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=datetime.timezone.utc)', '2026-01-02T03:04:05.000678+00:00'],
  ['datetime.datetime(2026, 1, 2, 3, 4, tzinfo=TzInfo(UTC))', '2026-01-02T03:04:00+00:00'],
  ['datetime.date(2026, 1, 2)', '2026-01-02'],
  ["datetime.datetime(2026, 1, 2, 3, 4, tzinfo=zoneinfo.ZoneInfo(key='Asia/Tokyo'))", undefined],
  ['datetime.timedelta(seconds=5)', undefined],
  ["UUID('12345678-1234-5678-1234-567812345678')", '12345678-1234-5678-1234-567812345678'],
  ["Decimal('0.10')", '0.10'],
  ["PosixPath('/srv/x')", '/srv/x'],
  ["{'a', 'b'}", ['a', 'b']],
  ["('x', 1)", ['x', 1]],
  ["defaultdict(<class 'list'>, {'k': [1]})", { k: [1] }],
  ["OrderedDict([('a', 1)])", { a: 1 }],
  ["<Role.USER: 'user'>", 'user'],
  ["Set(1) { 'b' }", ['b']],
  ["Map(1) { 'a' => 1 }", { a: 1 }],
  ['<ref *1> { a: [Object: null prototype] { b: 12n } }', { a: { b: 12 } }],
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
]

export const pydanticAi =
  "[ModelRequest(parts=[UserPromptPart(content='hi', timestamp=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))]), ModelResponse(parts=[ToolCallPart(tool_name='f', args='{}', tool_call_id='c1')], usage=RequestUsage(input_tokens=1), model_name='gpt-5', timestamp=datetime.datetime(2026, 1, 1, tzinfo=TzInfo(UTC)))]"
