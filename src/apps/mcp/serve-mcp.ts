import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import { AntiphonError } from '../../core/errors.ts'
import { fileError } from '../../doctor/files/file-error.ts'
import { errorLine } from '../cli/error-line.ts'
import { version } from '../cli/version.ts'
import { BoundedLines, type LongLine, requestIdOf } from './bounded-lines.ts'
import { type CommandOutcome, runCommand } from './run-command.ts'

/** Serves the Model Context Protocol on standard input and output, until the input ends. */
export function serveMcp(): void {
  const say = (error: unknown): void => {
    process.stderr.write(`${errorLine(error)}\n`)
  }
  const refuse = (line: LongLine): void => {
    const id = requestIdOf(line)
    if (id === undefined) say(tooLong)
    else transport.send({ jsonrpc: '2.0', id, error: { code: -32600, message: errorLine(tooLong) } }).catch(say)
  }
  // The SDK's reader closes the server on a longer line, which would end every call in progress.
  const lines = process.stdin.pipe(new BoundedLines(lineMax, refuse))
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: Number.MAX_SAFE_INTEGER })
  serveStdio(createServer, { transport, onerror: error => say(protocolError(error)) })
}

const lineMax = 10 * 1024 * 1024

const tooLong = new AntiphonError('bad-limit', 'a line of standard input is longer than 10 MB, and was ignored', {
  hint: 'save a long history to a file, and give the file',
})

const protocolError = (cause: Error): Error =>
  cause.name === 'ZodError' || cause instanceof SyntaxError
    ? new AntiphonError('bad-request', 'ignored a line of standard input that is not an MCP message', {
        hint: 'send one JSON-RPC object per line',
        cause,
      })
    : cause

const instructions = `Checks and repairs the message histories of tool-calling LLM conversations.
After a rejection by a provider, such as a 400 about tool calls, explain says what it means. check and heal work on one history or
request, doctor on sessions that programs such as Claude Code, Codex or opencode have stored on this machine. Nothing on disk is changed unless
heal gets write or doctor gets fix; both keep a backup and name it.`

function createServer(): McpServer {
  const server = new McpServer({ name: 'antiphon', version }, { instructions })

  server.registerTool(
    'check',
    {
      title: 'Check a history',
      description:
        'Find everything in a message history or request that its provider would reject, where and why. Changes nothing.',
      inputSchema: z.object({ ...subject, for: provider, because }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (given, { mcpReq: { signal } }) =>
      answer(async () => {
        const { input, operands } = subjectOf(given)
        return toToolResult(await runCommand(['check', ...optionsOf(given), ...operands], signal, input))
      }),
  )

  server.registerTool(
    'heal',
    {
      title: 'Repair a history',
      description:
        'Repair a message history or request. A text is returned repaired. A file is only reported on, unless write is true: then it is replaced, and the old one is kept as FILE.bak.',
      inputSchema: z.object({
        ...subject,
        for: provider,
        because,
        write: z.boolean().optional().describe('replace the file, with a backup next to it; false by default'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (given, { mcpReq: { signal } }) =>
      answer(async () => {
        const { input, operands } = subjectOf(given)
        if (input !== undefined && given.write)
          throw new AntiphonError('wrong-option', 'write needs a file', { hint: 'without write, the text is returned' })
        const how = input !== undefined ? [] : [given.write ? '--write' : '--dry-run']
        const outcome = await runCommand(['heal', ...how, ...optionsOf(given), ...operands], signal, input)
        if (outcome.stdout.isCut)
          throw new AntiphonError('bad-limit', 'the repaired history is too long to be returned', {
            hint: 'save the original history to a file, and call heal with file and write: true',
          })
        return toToolResult(outcome)
      }),
  )

  server.registerTool(
    'explain',
    {
      title: 'Explain a rule or an error',
      description:
        'Explain an error of a provider, a rule of check, or an error code of Antiphon: what it means, why it happens, and what repairs it.',
      inputSchema: z.object({
        about: z
          .string()
          .max(textMax)
          .optional()
          .describe(
            'the complete error of the provider, the id of a rule, or an error code; without it, the rules are listed',
          ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ about = '' }, { mcpReq: { signal } }) =>
      answer(async () => {
        const words = about.trim()
        // Anything but the id of a rule or an error code is read from standard input, where it is never taken for an option or a file.
        const operands = words === '' ? [] : /^[a-z][a-z-]*$/.test(words) ? [words] : ['-']
        return toToolResult(await runCommand(['explain', ...operands], signal, words))
      }),
  )

  server.registerTool(
    'doctor',
    {
      title: 'Repair stored sessions',
      description:
        'Look for broken sessions in the stores of other programs on this machine. Changes nothing, unless fix is true: then it repairs what is broken, after a backup of every store. A session in use by a running program is left alone.',
      inputSchema: z.object({
        paths: z
          .array(z.string().min(1))
          .max(100)
          .optional()
          .describe('files or folders; without any, the default places of all known programs'),
        system: z.string().optional().describe('only stores of this program, such as codex or claude-code'),
        session: z.string().optional().describe('only the session with this id, where a store has several'),
        because,
        fix: z.boolean().optional().describe('repair what is broken; false by default'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ paths = [], system, session, because: error, fix }, { mcpReq: { signal } }) =>
      answer(async () => {
        const options = [
          ...(fix ? ['--fix'] : []),
          ...(system === undefined ? [] : [`--system=${system}`]),
          ...(session === undefined ? [] : [`--session=${session}`]),
          ...becauseOption(error),
        ]
        return toToolResult(await runCommand(['doctor', ...options, '--', ...paths.map(fromHome)], signal))
      }),
  )

  return server
}

const textMax = 20_000

const subject = {
  file: z.string().min(1).optional().describe('the path of a file with the history; pass either file or text'),
  text: z
    .string()
    .min(1)
    .optional()
    .describe('the history itself: a JSON list of messages, a request body, JSONL, a curl command or a log'),
}
const provider = z
  .string()
  .optional()
  .describe('the provider or model that will receive it, such as anthropic or gpt-5; default: detected from the format')
const because = z
  .string()
  .min(1)
  .max(textMax)
  .optional()
  .describe('the complete error of the provider, as text or JSON')

interface GivenSubject {
  readonly file?: string | undefined
  readonly text?: string | undefined
}

function subjectOf({ file, text }: GivenSubject): { readonly input?: string; readonly operands: string[] } {
  if ((file === undefined) === (text === undefined))
    throw new AntiphonError('wrong-option', 'give either file or text', {
      hint: 'pass the path as file, or the content as text, but not both',
    })
  return file === undefined ? { input: text ?? '', operands: ['-'] } : { operands: ['--', regular(fromHome(file))] }
}

/** In a shell a FIFO can be meant. Here it would block one of a few commands for ever. */
function regular(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFIFO() || stat?.isSocket() || stat?.isCharacterDevice() || stat?.isBlockDevice())
    throw fileError(path, 'it is not a regular file')
  return path
}

interface GivenOptions {
  readonly for?: string | undefined
  readonly because?: string | undefined
}

const optionsOf = (given: GivenOptions): string[] => [
  ...(given.for === undefined ? [] : [`--for=${given.for}`]),
  ...becauseOption(given.because),
]

/** With a space in it, the text is never taken for the name of a file. */
const becauseOption = (error: string | undefined): string[] => (error === undefined ? [] : [`--because= ${error}`])

/** Expands `~/`, as a shell would. `-` would mean standard input. */
const fromHome = (path: string): string =>
  path === '-' ? './-' : path.startsWith('~/') ? join(homedir(), path.slice(2)) : path

/** What a command printed. Its exit codes 0 and 1 are answers; anything else is an error, which it explained. */
function toToolResult({ code, stdout, stderr }: CommandOutcome): CallToolResult {
  const texts = [stdout, stderr].map(text => text.toString().trimEnd()).filter(text => text !== '')
  const isAnswer = code === 0 || code === 1
  const content = (texts.length > 0 ? texts : [isAnswer ? 'Nothing was found.' : 'The command was stopped.']).map(
    text => ({ type: 'text' as const, text }),
  )
  return isAnswer ? { content } : { content, isError: true }
}

async function answer(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    return { content: [{ type: 'text', text: errorLine(error) }], isError: true }
  }
}
