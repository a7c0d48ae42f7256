import { describe, expect, test } from 'vitest'
import { describeContainer } from '../../src/apps/cli/input/found-subject.ts'
import { unwrap } from '../../src/apps/unwrap/unwrap.ts'

const url = 'https://api.openai.com/v1/chat/completions'
const history = [{ role: 'user', content: 'hi' }]
const json = JSON.stringify({ model: 'gpt-5', messages: history })
const double = (text: string): string => `"${text.replaceAll('"', '\\"')}"`
const bodyWith = (content: string): string => json.replace('hi', content)

describe('[SE466] of a command only what is an address is printed as one', () => {
  test.each([
    ['HTTPie', `http -A bearer -a me:SECRET POST :4000/v1/chat/completions <<< '${json}'`],
    ['a flag of curl', `curl --pass SECRET api.example -d '${json}'`],
    ['a header for a proxy', `curl --proxy-header 'X-Auth: SECRET' api.example/v1 -d '${json}'`],
    ['wget', `wget --http-password SECRET --post-data '${json}' api.example/v1`],
    ['two commands', `curl --pass SECRET a.example -d '${json}'\ncurl --pass SECRET a.example -d '${json}'`],
  ])('%s', (_name, text) => {
    const result = unwrap(text)
    if (!result || !('found' in result)) throw new Error(JSON.stringify(result))
    for (const one of result.found) {
      expect(one.value).toEqual(JSON.parse(json))
      expect(describeContainer(result.kind, one)).not.toContain('SECRET')
    }
  })

  test.each([url, url.replace('https://', '')])('which is still said: %s', given => {
    const result = unwrap(`curl --pass SECRET ${given} -d '${json}'`)
    if (!result || !('found' in result) || !result.found[0]) throw new Error(JSON.stringify(result))
    expect(describeContainer(result.kind, result.found[0])).toBe(
      'a curl command, sent to api.openai.com/v1/chat/completions',
    )
  })
})

describe('[SE467] what a shell puts into a body is not taken for its text', () => {
  test.each([
    ['a variable', `curl ${url} -d ${double(bodyWith('$PROMPT'))}`, '$PROMPT is a variable'],
    ['a variable in braces', `curl ${url} -d ${double(bodyWith(`see ${'$'}{PROMPT}`))}`, '$PROMPT is a variable'],
    ['a variable between quotes', `curl ${url} -d '${bodyWith(`'"$PROMPT"'`)}'`, '$PROMPT is a variable'],
    ['a variable without quotes', `curl ${url} -d '${bodyWith("'$PROMPT'")}'`, '$PROMPT is a variable'],
    ['a variable in place of the list', `curl ${url} -d "{\\"messages\\": $LIST}"`, '$LIST is a variable'],
    ['a command', `curl ${url} -d ${double(bodyWith('$(cat prompt.txt)'))}`, 'a command of the shell'],
    ['a command in backticks', `curl ${url} -d ${double(bodyWith('`cat prompt.txt`'))}`, 'a command of the shell'],
    ['a here-document', `curl ${url} -d @- <<EOF\n${bodyWith('$PROMPT')}\nEOF`, '$PROMPT is a variable'],
    ['what cat prints', `cat <<EOF | curl ${url} -d @-\n${bodyWith('$PROMPT')}\nEOF`, '$PROMPT is a variable'],
    ['a substitution', `curl ${url} -d "$(cat <<EOF\n${bodyWith('$PROMPT')}\nEOF\n)"`, '$PROMPT is a variable'],
    ['what echo prints', `echo ${double(bodyWith('$PROMPT'))} | curl ${url} -d @-`, '$PROMPT is a variable'],
    [
      'PowerShell',
      `Invoke-RestMethod -Uri ${url} -Body "${bodyWith('$prompt').replaceAll('"', '`"')}"`,
      '$prompt is a variable',
    ],
    [
      'a here-string of PowerShell',
      `Invoke-RestMethod -Uri ${url} -Body @"\n${bodyWith('$prompt')}\n"@`,
      '$prompt is a variable',
    ],
  ])('%s', (_name, text, problem) => {
    expect(unwrap(text)).toMatchObject({ problem: expect.stringContaining(problem) })
    expect(unwrap(text)).not.toHaveProperty('found')
  })

  test('other fields are left out and named', () => {
    const text = `curl ${url} -d '{"model":"'$MODEL'","messages":${JSON.stringify(history)}}'`
    expect(unwrap(text)).toMatchObject({
      found: [{ value: { messages: history } }],
      problem: 'without model: $MODEL is a variable, and its value is not in the text',
    })
  })

  test.each([
    ['in single quotes', `curl ${url} -d '${bodyWith('$PROMPT `x`')}'`, '$PROMPT `x`'],
    ['after a backslash', `curl ${url} -d ${double(bodyWith('\\$PROMPT \\`x\\`'))}`, '$PROMPT `x`'],
    ['a price', `curl ${url} -d ${double(bodyWith('$5'))}`, '$5'],
    ['in a quoted here-document', `curl ${url} -d @- <<'EOF'\n${bodyWith('$PROMPT')}\nEOF`, '$PROMPT'],
    ['in another here-document, escaped', `curl ${url} -d @- <<EOF\n${bodyWith('\\$5 \\\\n')}\nEOF`, '$5 \n'],
    ['in the command prompt', `curl ${url} ^\n -d ${double(bodyWith('$PROMPT'))}`, '$PROMPT'],
  ])('text that looks like one stays: %s', (_name, text, content) => {
    expect(unwrap(text)).toMatchObject({ found: [{ value: { messages: [{ content }] } }] })
  })

  test('a quoted here-document before another one', () => {
    const text = `cat > a.json <<'EOF'\n{}\nEOF\ncurl ${url} -d @- <<EOF\n${bodyWith('$PROMPT')}\nEOF\n`
    expect(unwrap(text)).toMatchObject({ problem: expect.stringContaining('$PROMPT is a variable') })
  })

  test('a variable that is set again has its new value', () => {
    const request = (content: string) => `BODY='${bodyWith(content)}'\ncurl ${url} -d "$BODY"\n`
    const found = [{ value: JSON.parse(bodyWith('one')) }, { value: JSON.parse(bodyWith('two')) }]
    expect(unwrap(request('one') + request('two'))).toMatchObject({ found })
    const piped = `echo '${bodyWith('one')}' | curl ${url} -d @-\n`
    expect(unwrap(`BODY='x'\n${piped}${request('two')}BODY='y'`)).toMatchObject({ found })
  })

  test.each([
    ['its only word', `printf '%s\\n' '${bodyWith('100%')}'`, '100%'],
    ['a text of the format', `printf '${bodyWith('100%%')}\\n'`, '100%'],
    ['a word inside of the format', `printf '${bodyWith('%s')}' '[{"role":"user","content":"x"}]'`, undefined],
    ['a word in quotes of JSON', `printf '${bodyWith('see %s')}' 'this'`, 'see this'],
  ])('what printf makes of its format: %s', (_name, printf, content) => {
    const result = unwrap(`${printf} | curl ${url} -d @-`)
    if (content === undefined) expect(result).not.toHaveProperty('found')
    else expect(result).toMatchObject({ found: [{ value: { messages: [{ content }] } }] })
  })

  test('a body of any depth ends in an answer', () => {
    const deep = bodyWith(`$X","deep":${'['.repeat(50_000)}${']'.repeat(50_000)},"x":"`)
    expect(unwrap(`curl ${url} -d ${double(deep)}`)).toMatchObject({ problem: expect.stringContaining('$X') })
  })
})

describe('[SE468] code around a value is not taken for the value', () => {
  const list = JSON.stringify(history)

  test.each([
    [
      'the argument of a function',
      'x = [{"role": "user", "content": get_prompt("lisbon")}]',
      /get_prompt\(\.\.\.\) is code/,
    ],
    ['a list that a function gets', `x = {"messages": without_system(${list})}`, /without_system\(\.\.\.\) is code/],
    ['an argument with a name', 'x = [{"role": "user", "content": read(path="a")}]', /read\(\.\.\.\) is code/],
    ['what is added after it', `x = ${list} + tail`, /part of an expression/],
    ['what is added before it', `x = head + ${list}`, /part of an expression/],
    ['a method of it', `x = ${list}.concat(tail)`, /part of an expression/],
    ['a slice of it', `x = ${list}[0:1]`, /part of an expression/],
  ])('%s', (_name, text, problem) => {
    expect(unwrap(text)).toMatchObject({ problem: expect.stringMatching(problem) })
    expect(unwrap(text)).not.toHaveProperty('found')
  })

  test.each([
    [
      'json.dumps',
      'messages = [{"role": "tool", "tool_call_id": "a", "content": json.dumps({"a": [1, None]}, indent=2)}]',
    ],
    ['JSON.stringify', 'x = [{ role: "tool", tool_call_id: "a", content: JSON.stringify({ a: [1, null] }) }]'],
  ])('the JSON text of a written value is one: %s', (_name, text) => {
    expect(unwrap(text)).toMatchObject({ found: [{ value: [{ content: '{"a":[1,null]}' }] }] })
  })

  test.each([
    ['print', `print(${list})`],
    ['a request in two calls', `asyncio.run(client.chat.completions.create(model="gpt-5", messages=${list}))`],
    ['a request of a browser', `fetch("${url}", { body: JSON.stringify({ model: "gpt-5", messages: ${list} }) })`],
    ['a type that Python prints', `x = {'model': 'gpt-5', 'messages': deque(${list})}`],
    ['prose after it', `Sent ${list}. Then [it] failed, 1 + 2.`],
    ['a line of a diff', `-x = 1\n+${list}`],
  ])('a call around a request is not part of it: %s', (_name, text) => {
    const result = unwrap(text)
    expect(result && 'found' in result && JSON.stringify(result.found)).toContain(list)
  })
})

test.each([
  ['in quotes of C', `curl ${url} -d $'${bodyWith('a\\xef\\xbb\\xbfb')}'`],
  ['in bytes of Python', `b'${bodyWith('a\\xef\\xbb\\xbfb')}'`],
])('[SE432] a byte order mark inside of a text stays: %s', (_name, text) => {
  expect(unwrap(text)).toMatchObject({ found: [{ value: { messages: [{ content: 'a\uFEFFb' }] } }] })
})
