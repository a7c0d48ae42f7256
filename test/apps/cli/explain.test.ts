import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MissingToolResultsError } from 'ai'
import { describe, expect, test } from 'vitest'
import * as examples from '../../../src/apps/cli/examples.ts'
import { errorCodes } from '../../../src/apps/cli/explain/error-codes.ts'
import { frameworkErrors } from '../../../src/apps/cli/explain/framework-errors.ts'
import { rejectingRules } from '../../../src/apps/cli/explain/rejecting-rules.ts'
import { rejectionSources } from '../../../src/apps/cli/explain/rejection-sources.ts'
import { pagePath } from '../../../src/apps/cli/page-path.ts'
import type { Dialect } from '../../../src/core/dialect.ts'
import { dialects } from '../../../src/core/dialects/index.ts'
import { rules as historyRules } from '../../../src/core/rules/index.ts'
import { limitRules } from '../../../src/core/rules/limit-rules.ts'
import { pages } from '../../../src/core/rules/pages.ts'
import { rejectionTable } from '../../../src/heal/rejections/table/index.ts'
import { root } from '../../programs.ts'
import { unanswered } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

const rules = [...historyRules, ...limitRules]
const errorCodesDeclared = [
  ...readFileSync(join(root, 'src/core/errors.ts'), 'utf8').matchAll(/^ {2}\| '([a-z-]+)'$/gm),
].map(([, code]) => code)

describe.concurrent('explain', () => {
  test('[C22] a rule: what, why, how it is repaired, who refuses it in which words, and an example', async () => {
    const { code, stdout } = await antiphon(['explain', 'unanswered-call'])
    expect(code).toBe(0)
    expect(stdout).toContain('error[unanswered-call]: A call has no result.\n   = why: The next request is rejected')
    expect(stdout).toMatch(/\n {2}anthropic +rejected as: messages\.<n>: `tool_use` ids were found without/)
    expect(stdout).toMatch(/\nExample: .* \(openai-chat, for openai\)\n {2}\{"role":"user"/)
    expect(stdout).toMatch(/\nbecomes\n(.*\n)* {2}\{"role":"tool",.*No result of this call was recorded/)
  })

  test('[C22] without a rule it lists them all', async () => {
    const { code, stdout } = await antiphon(['explain'])
    expect(code).toBe(0)
    expect(lines(stdout).map(line => line.split(' ')[0])).toEqual(rules.map(({ id }) => id))
    for (const { id } of rules) expect(stdout).toContain(pages[id].summary)
  })

  test('[C22] every rule has its examples, for programs too', async () => {
    expect(Object.keys(examples).sort()).toEqual(rules.map(({ id }) => id).sort())
    const { stdout } = await antiphon(['explain', '--json', 'orphan-result'])
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'orphan-result',
      severity: 'error',
      example: { format: 'openai-chat' },
    })
  })

  test('[C22] a rule about a whole request is explained as well', async () => {
    const { code, stdout } = await antiphon(['explain', 'too-many-media'])
    expect(code).toBe(0)
    expect(stdout).toContain('error[too-many-media]: ')
    expect(stdout).toMatch(/\n {2}bedrock +rejected as: You can't include more than 5 documents/)
    expect(stdout).toContain('Example: six documents: the oldest (bedrock, for bedrock)')
  })

  test('[C191] a request is not an error: the line names the command that judges it', async () => {
    const body = JSON.stringify({ model: 'gpt-5', messages: unanswered })
    const quoted = JSON.stringify([{ role: 'user', content: 'Error 400: prompt is too long: 5 tokens > 4 maximum' }])
    const curl = `curl https://api.openai.com/v1/chat/completions -d '${body}'`
    const python = `client.chat.completions.create(model='gpt-5', messages=[{'role': 'user', 'content': 'Hi.'}])`
    const cwd = folder({ 'body.json': body, 'my curl.sh': curl })
    const said = 'antiphon: this is a request, not an error of a provider'
    const cases: [args: string[], input: string, line: string][] = [
      [['@body.json'], '', `${said} (check it with: antiphon check body.json)\n`],
      [['body.json'], '', `${said} (check it with: antiphon check body.json)\n`],
      [['@my curl.sh'], '', `${said} (check it with: antiphon check 'my curl.sh')\n`],
      ...[body, quoted, curl, python, `curl https://api.openai.com/v1/chat/completions -d @body.json`].map(
        (input): (typeof cases)[0] => [['-'], input, `${said} (check it with: antiphon check -)\n`],
      ),
      [[curl], '', `${said} (save it, and run: antiphon check FILE)\n`],
    ]
    const outcomes = await Promise.all(cases.map(([args, input]) => antiphon(['explain', ...args], { cwd, input })))
    expect(outcomes).toEqual(cases.map(([, , stderr]) => ({ code: 2, stdout: '', stderr })))
    const both = JSON.stringify({
      request: { messages: unanswered },
      error: 'prompt is too long: 5 tokens > 4 maximum',
    })
    expect((await antiphon(['explain', '-'], { input: both })).code).toBe(0)
  })

  test('[C23] a rule that is none is one line with the nearest names', async () => {
    const [near, far] = await Promise.all([
      antiphon(['explain', 'unanswerd-cal']),
      antiphon(['explain', 'weather-forecast']),
    ])
    const said = (name: string, hint: string) => `antiphon: unknown rule or error code "${name}" (${hint})\n`
    expect(near.stderr).toBe(said('unanswerd-cal', 'did you mean unanswered-call?'))
    const lists = `\`antiphon explain\` lists the rules, ${pagePath('docs/errors.md')} the error codes`
    expect(far.stderr).toBe(said('weather-forecast', lists))
    expect([near.code, far.code]).toEqual([2, 2])
  })

  test('[C198] an error code: when it occurs, what to do, and a page that can be opened', async () => {
    const cwd = folder()
    for (const name of ['thread-busy', 'THREAD_BUSY']) {
      const { code, stdout } = await antiphon(['explain', name], { cwd })
      expect(code).toBe(0)
      expect(stdout).toBe(
        [
          'error code thread-busy: the thread has a running or parked turn, or another run owns the thread of a graph',
          '   = fix: wait, or choose another `whenBusy` or a longer `waitMs`',
          `   = more: ${join(root, 'docs/errors.md')}`,
          '',
        ].join('\n'),
      )
    }
    const { stdout } = await antiphon(['explain', '--json', 'unknown-rule'], { cwd })
    expect(JSON.parse(stdout)).toEqual({
      code: 'unknown-rule',
      when: 'a rule with this id does not exist',
      fix: `see the rules (${join(root, 'docs/rules/README.md')})`,
      page: join(root, 'docs/errors.md'),
    })
  })

  test('[C198] every error code is explained', () => {
    const codes = errorCodes()
    expect(codes.map(({ code }) => code).toSorted()).toEqual(errorCodesDeclared.toSorted())
    expect(codes.filter(({ when, fix }) => when.length < 10 || fix.length < 10)).toEqual([])
  })

  test('[C198] a name that a rule and an error code have is explained as both', async () => {
    const [{ stdout }, json] = await Promise.all([
      antiphon(['explain', 'not-a-history']),
      antiphon(['explain', '--json', 'not-a-history']),
    ])
    expect(stdout).toMatch(/^error\[not-a-history\]: [\s\S]*\n\nerror code not-a-history: `convert` found no history/)
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'not-a-history', errorCode: { code: 'not-a-history' } })
  })

  test('[C198] a mistyped error code is one line with the nearest names', async () => {
    const { code, stderr } = await antiphon(['explain', 'thread-buzy'])
    expect([code, stderr]).toEqual([
      2,
      'antiphon: unknown rule or error code "thread-buzy" (did you mean thread-busy?)\n',
    ])
  })

  test.each([
    ['a part of an error', 'tool_use ids were found without tool_result blocks', 'an-missing-result'],
    ['its words without its marks', 'number of function response parts equal to function call parts', 'ge-count'],
    ['the start of one', 'An assistant message with tool_calls must be followed', 'missing'],
  ])('[C155] %s is explained by the closest known one, and the output says so', async (_, text, id) => {
    const { code, stdout } = await antiphon(['explain', text])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The closest known error: history \(/)
    expect(stdout).toContain(id)
  })

  test.each([
    [
      "400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
      'unanswered-call',
    ],
    [
      '{"error":{"message":"No tool output found for function call call_7.","type":"invalid_request_error"}}',
      'unanswered-call',
    ],
    ['No tool call found for function call output with call_id\ncall_7.', 'orphan-result'],
    [
      'Error: messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      'orphan-result',
    ],
  ])(
    '[C197] %s names the rules that find it in the history, and the command that repairs the request',
    async (text, rule) => {
      const { stdout } = await antiphon(['explain', text])
      expect(stdout).toContain(`\n   = rule: ${rule}: ${pages[rule]?.summary}\n`)
      expect(stdout).toContain('run: antiphon heal request.json --because error.json\n')
      const asJson = await antiphon(['explain', '--json', text])
      expect(JSON.parse(asJson.stdout).rules).toContain(rule)
    },
  )

  test('[C197] every rejection that a rule is known by leads back to it', () => {
    const rejections = Object.values<Dialect>(dialects).flatMap(({ refusals }) => Object.entries(refusals))
    const missing = rejections.filter(
      ([rule, words]) => !rejectingRules(words.replace(/\{\w+\}/g, 'x_1')).includes(rule),
    )
    expect(missing).toEqual([])
    expect(rejections.length).toBeGreaterThanOrEqual(260)
    expect(rejectingRules('429 Too many requests: slow down')).toEqual([])
  })

  test('[C155] a text with other words is not', async () => {
    const { code, stderr } = await antiphon(['explain', 'the tool shed has no door and we do not find the key'])
    expect(stderr).toBe('antiphon: unknown error of a provider (pass the whole error, as the provider sent it)\n')
    expect(code).toBe(2)
  })

  test('[C156] an error that a framework throws itself is explained, by its name or by its text', async () => {
    const error = new MissingToolResultsError({ toolCallIds: ['call_1', 'call_2'] })
    for (const text of [error.name, error.message, `${error.name}: ${error.message}\n    at convert (index.js:1)`]) {
      const { code, stdout } = await antiphon(['explain', text])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^an error of the AI SDK\n {3}= why: A call in the history has no result/)
      expect(stdout).toContain('prepareStep: healSteps()')
    }
  })

  test('[C156] the pages that it names exist', () => {
    expect(frameworkErrors.filter(({ page }) => !existsSync(page))).toEqual([])
  })

  test.each([
    ['a framework', 'AI_MissingToolResultsError', 'ai-sdk.md'],
    ['a provider', 'prompt is too long: 5 tokens > 4 maximum', 'rejections.md'],
  ])(
    '[C196] the page about an error of %s is a path that can be opened from the working directory',
    async (_, text, page) => {
      const cwd = folder()
      for (const place of [cwd, root]) {
        const { code, stdout } = await antiphon(['explain', text], { cwd: place })
        expect(code).toBe(0)
        const [, named] = stdout.match(/\n {3}= more: (.+)\n/) ?? []
        expect(readFileSync(resolve(place, named))).toEqual(readFileSync(join(root, 'docs', page)))
      }
    },
  )

  test('[C196] the page of a framework is such a path for programs too', async () => {
    const { stdout } = await antiphon(['explain', '--json', 'INVALID_CHAT_HISTORY'], { cwd: folder() })
    expect(JSON.parse(stdout).page).toBe(join(root, 'docs/langchain.md'))
  })

  test('[C195] where an error was seen is a page or an issue that can be opened, never a file of the project', async () => {
    const sources = await Promise.all(
      rejectionTable.map(async entry => [entry.id, await rejectionSources(entry)] as const),
    )
    const opens = /^(https:\/\/\S+|[\w.-]+\/[\w.-]+(#\d+)?)$/
    const project = /^(src|core|docs|test|scripts)\//
    expect(sources.filter(([, places]) => places.some(place => !opens.test(place) || project.test(place)))).toEqual([])
    const { stdout } = await antiphon(['explain', 'tool_use ids were found without tool_result blocks'])
    expect(stdout).toContain('\n   = seen in: https://github.com/anthropics/claude-code/issues/5989, https://')
  })

  test('[C195] an error whose place was not recorded names none', async () => {
    const text = 'No tool output found for apply patch call call_1.'
    const [{ stdout }, json] = await Promise.all([antiphon(['explain', text]), antiphon(['explain', '--json', text])])
    expect(stdout).toMatch(/^history \(or-missing-output-patch\)/)
    expect(stdout).not.toContain('seen in')
    expect(JSON.parse(json.stdout)).not.toHaveProperty('source')
  })
})
