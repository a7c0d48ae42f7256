import type { Tool, Tools } from '../../../src/journal/tool.ts'
import type { ToolContext } from '../../../src/journal/tool-run.ts'
import type { Effects } from '../invariants/effects.ts'
import { wordOf } from '../invariants/words.ts'
import type { Process } from './process.ts'

/** What the tools of a simulation are made with. */
export interface FakeToolContext {
  readonly process: Process
  readonly effects: Effects
  /** How long a tool takes that does nothing special. */
  workMs(): number
  /** Counts outputs, so that each has its own word. */
  nextOutput(): number
}

/** How a tool behaves, whatever it is for. */
interface Behaviour extends Omit<Tool, 'execute'> {
  /** `deaf` never ends, `dull` ends late and hears no signal. Without it the tool has no `execute`. */
  readonly run?: 'works' | 'obeys' | 'throws' | 'deaf' | 'dull' | 'odd' | 'huge'
}

/** The tools that a simulated model calls. `ghost` is not among them. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  look: { run: 'works', replay: 'safe' },
  peek: { run: 'obeys', replay: 'safe', timeoutMs: 2_500 },
  book: { run: 'works' },
  wire: { run: 'obeys' },
  probed: { run: 'works', replay: 'probe' },
  break: { run: 'throws' },
  odd: { run: 'odd' },
  huge: { run: 'huge' },
  hang: { run: 'deaf', timeoutMs: 1_500 },
  doze: { run: 'deaf' },
  dull: { run: 'dull', timeoutMs: 1_000 },
  slow: { run: 'dull' },
  ask: { run: 'works', approval: true },
  askSoon: { run: 'works', approval: true, replay: 'safe', expiresMs: 2_000 },
  askWhen: {
    run: 'works',
    approval: ({ mind }: { mind?: unknown }) => {
      if (mind === 'broken') throw new Error('the check is broken')
      return mind === 'yes'
    },
  },
  person: {},
  personSoon: { expiresMs: 2_000 },
  askPerson: { approval: true },
}

/** `delegate` is an agent, which has all of these tools. */
export const toolNames: readonly string[] = [...Object.keys(behaviours), 'ghost', 'delegate', 'delegate']

export const makeTools = (context: FakeToolContext): Tools =>
  Object.fromEntries(Object.entries(behaviours).map(([name, behaviour]) => [name, makeTool(name, behaviour, context)]))

function makeTool(name: string, { run, ...tool }: Behaviour, context: FakeToolContext): Tool {
  if (run === undefined) return tool
  const { effects, process } = context
  const execute = async (input: never, { key, signal }: ToolContext): Promise<unknown> => {
    const habits = { isOnce: (tool.replay ?? 'never') === 'never', needsApproval: needsApproval(tool, input) }
    const execution = effects.enter(key, name, habits, process.name, input)
    const word = wordOf('out', context.nextOutput())
    await work(run, context, signal)
    if (run === 'odd') return 10n
    execution.output = word
    return run === 'huge' ? word + ' and more'.repeat(1_000) : { word }
  }
  return { ...tool, execute, ...(tool.replay === 'probe' && { probe: async (_, { key }) => effects.lookUp(key) }) }
}

/** A check that fails is a yes. */
function needsApproval({ approval = false }: Tool, input: never): boolean {
  if (typeof approval === 'boolean') return approval
  try {
    return approval(input, { signal: new AbortController().signal }) !== false
  } catch {
    return true
  }
}

async function work(
  run: Behaviour['run'],
  { process, workMs }: FakeToolContext,
  signal: AbortSignal,
): Promise<unknown> {
  if (run === 'deaf') return new Promise(() => {})
  if (run === 'dull') return process.wait(3_000 + 4 * workMs())
  if (run === 'obeys') return Promise.race([process.wait(workMs()), refusal(signal)])
  await process.wait(workMs())
  if (run === 'throws') throw new Error('it broke')
  return undefined
}

const refusal = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
