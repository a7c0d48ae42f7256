import { callEachTool, type ScriptedReply, type ScriptInput } from '../../src/strict/index.ts'

/**
 * The model of the trials, for `antiphon strict --script`. It runs the commands that the prompt has as `run ((command))`: the
 * first two in one step, then one a step, and then it says what the last one gave. What a program asks beside the
 * conversation (a title, a summary) has no shell or a schema, and is answered in words.
 */
export default function model(asked: ScriptInput): ScriptedReply {
  const { tools, answerSchema, turnCalls, turnResults } = asked
  const shell = shells.find(name => tools.includes(name))
  if (shell === undefined || answerSchema !== undefined)
    return callEachTool({ ...asked, callable: [], mustCall: false })
  const last = turnResults.at(-1)?.text ?? 'nothing'
  const prompt = promptOf(asked)
  const commands = [...prompt.matchAll(/run \(\((.+?)\)\)/g)].map(([, command]) => command)
  const done = turnCalls.filter(name => name === shell).length
  const next = commands.slice(done, done === 0 ? 2 : done + 1)
  // Codex waits for half a minute and then lets the model wait.
  const [, session] = /running with session ID (\d+)/.exec(last) ?? []
  const wait = { session_id: Number(session), chars: '', yield_time_ms: ms }
  if (session !== undefined) return { calls: [{ name: 'write_stdin', input: wait }] }
  if (next.length === 0 || prompt.includes(onlyAnswer)) return `It said: ${last}`
  const calls = next.map(command => ({ name: shell, input: inputFor(command, asked.schemas.get(shell)) }))
  return { text: 'I run it.', calls, ...thoughts(asked.body, done) }
}

/** The last prompt of the trial. OpenClaw sends a message of its own after it, and a request that continues another one has only its end. */
function promptOf({ lastUser = '', body }: ScriptInput): string {
  if (lastUser.includes('run ((') || lastUser.includes(onlyAnswer)) return lastUser
  const text = JSON.stringify(body)
  return text.slice(Math.max(0, text.lastIndexOf('Please run (('), text.lastIndexOf(onlyAnswer)))
}

/** Only a request that asks for reasoning gets it: from the second step on, and at once if it is enabled for each. */
function thoughts(body: unknown, done: number): { thinking?: string } {
  const { thinking, reasoning, generationConfig } = body as Record<string, Record<string, unknown> | undefined>
  const isWanted = (thinking ?? reasoning ?? generationConfig?.thinkingConfig) !== undefined
  return isWanted && (done > 0 || thinking?.type === 'enabled') ? { thinking: 'It wants a command.' } : {}
}

/** With these words the model runs nothing. */
export const onlyAnswer = 'Only answer.'

const shells = ['Bash', 'bash', 'exec', 'exec_command', 'shell_command', 'run_shell_command', 'run_commands']

/** Ten minutes: the most that all shells grant, and longer than any trial. */
const ms = 600_000

/** What the shell of some program takes, as far as the schema of this one has it. */
function inputFor(command: string, schema: unknown): object {
  const { properties = {} } = schema as { properties?: object }
  const limits = { timeout: ms, timeout_ms: ms, yield_time_ms: ms, yieldMs: ms, is_background: false }
  const input = { command, cmd: command, commands: [command], description: 'Runs it', ...limits }
  return Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(properties, key)))
}
