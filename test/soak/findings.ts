import type { Counters } from './counters.ts'
import type { Wrongs } from './evidence.ts'
import type { Growth } from './growth.ts'

/** What a soak has brought to light. */
export interface Findings {
  readonly seed: number
  readonly minutes: number
  readonly counters: Counters
  readonly growth: readonly Growth[]
  readonly samples: number
  readonly checks: readonly Check[]
  readonly isSound: boolean
}

/** Something of which there has to be none. */
export interface Check {
  readonly what: string
  /** How much there was to look at. */
  readonly of: string
  readonly problems: readonly string[]
}

interface Gathered extends Omit<Findings, 'checks' | 'isSound'> {
  readonly wrongs: Wrongs
  readonly restless: readonly string[]
  /** What was shown and is not recorded. */
  readonly views: readonly string[]
  /** What users were told that cannot be. */
  readonly users: readonly string[]
  readonly refusals: readonly string[]
  readonly repairs: readonly string[]
  readonly processes: readonly string[]
}

export function findingsOf(gathered: Gathered): Findings {
  const { seed, minutes, counters, growth, samples, wrongs } = gathered
  const grown = growth.filter(({ after, bound }) => !(after <= bound))
  const threads = `${counters.of('threads')} threads`
  const checks: Check[] = [
    {
      what: 'requests that were rejected or failed without an injected failure',
      of: `${counters.of('provider requests')} requests, ${counters.sum('provider refused ')} rejections`,
      problems: [...gathered.refusals, ...uninjected(counters)],
    },
    {
      what: 'requests rendered by a journal that the proxy had to heal',
      of: `${counters.of('provider requests')} requests`,
      problems: gathered.repairs,
    },
    {
      what: 'results lost or recorded twice, and other contradictions in the entries',
      of: `${counters.of('calls')} calls, ${counters.of('entries')} entries`,
      problems: wrongs.settlements,
    },
    {
      what: 'tool effects that happened twice or without approval, and outcomes that are false',
      of: `${counters.of('effects')} effects`,
      problems: wrongs.effects,
    },
    {
      what: 'inputs that were lost, or neither answered nor reported as failed',
      of: `${counters.of('entry input-submit')} inputs`,
      problems: wrongs.inputs,
    },
    {
      what: 'acknowledgements that turned out to be false',
      of: `${counters.of('receipts')} receipts, ${counters.sum('verdict ')} decisions, ${counters.sum('settled from outside ')} results, ${counters.of('interrupts')} interrupts`,
      problems: [...wrongs.promises, ...gathered.users],
    },
    {
      what: 'threads that a strict provider rejects, or that lack some of their text (OpenAI chat and Responses, Anthropic, Gemini, Mistral)',
      of: `${threads}, ${counters.of('threads judged at every beginning')} of them after every entry`,
      problems: wrongs.drawings,
    },
    {
      what: 'answers that no model gave or that are recorded twice, and turns that failed before all their attempts had',
      of: `${counters.sum('response ')} answers, ${counters.of('failed attempts of failed turns')} failed attempts of failed turns`,
      problems: wrongs.responses,
    },
    {
      what: 'words and entries that somebody was shown, and that are not recorded',
      of: `${counters.of('views')} threads that somebody watched, ${counters.of('shown deltas')} pieces of answers`,
      problems: gathered.views,
    },
    {
      what: 'titles, labels and data that are lost, and lists that lack a thread or have a wrong one',
      of: `${counters.of('described')} changes, ${counters.sum('pages ')} pages`,
      problems: wrongs.lists,
    },
    {
      what: 'agents that started twice or outlived their thread, and calls of agents without a result',
      of: `${counters.of('agent threads')} agents`,
      problems: wrongs.agents,
    },
    {
      what: 'erased threads that are still there, or of which something is left',
      of: `${counters.of('tombstones')} threads`,
      problems: wrongs.erasures,
    },
    { what: 'threads that never became idle', of: threads, problems: gathered.restless },
    {
      what: 'processes that crashed, or did not exit when asked to stop',
      of: `${counters.of('workers killed') + 6} processes`,
      problems: gathered.processes,
    },
    {
      what: 'planned events that never happened',
      of: `${awaited.length} events`,
      problems: awaited.filter(what => counters.sum(what) === 0).map(what => `there were none: ${what}`),
    },
    {
      what: 'memory and handle counts above their limit',
      of: `${growth.length} values`,
      problems: grown.map(({ part, figure, before, after }) => `${part}: ${figure} was ${before}, and is ${after}`),
    },
  ]
  const isSound = checks.every(({ problems }) => problems.length === 0)
  return { seed, minutes, counters, growth, samples, checks, isSound }
}

/** Without them a row above has nothing to look at, and would hold whatever is wrong. */
const awaited: readonly string[] = [
  ...['workers killed', 'PostgreSQL ', 'threads judged at every beginning', 'calls', 'effects', 'entry turn-resume'],
  ...['receipts', 'double submits', 'submit refused key-taken', 'verdict first ', 'verdict later ', 'interrupts'],
  ...['settled from outside first', 'settled from outside ignored', 'results brought by clients', 'twins of runs'],
  ...['provider requests', 'provider injected ', 'proxy healed plain', 'sent and answered'],
  ...['worker model-failed', 'answers continued', 'answers of the other provider', 'failed attempts of failed turns'],
  ...['probed done', 'probed not done', 'views', 'shown completed', 'shown retracted', 'went back fork', 'expired'],
  ...['described', 'pages later', 'listed all', 'listed idle', 'listed failed'],
  ...[
    'worker turn-end',
    'agents runs',
    'went back ',
    'agent threads',
    'decisions for agents',
    'erased at once',
    'erased by a worker',
  ],
]

/** More failures than were asked for, in the requests and on the way to the providers, and those that nobody asked for. */
function uninjected(counters: Counters): string[] {
  const load = counters.sum('provider injected overload') + counters.of('provider injected rate-limit')
  const cuts = counters.of('provider injected cut')
  const broken = cuts + counters.of('provider injected malformed')
  const cutsAll = broken + counters.of('provider injected overload:stream')
  const isAtMost = (what: string, times: number, most: number): string[] =>
    times <= most ? [] : [`${times} ${what}, and only ${most} were asked for`]
  return [
    ...isAtMost(
      'requests were refused for the load',
      counters.of('provider refused overload') + counters.of('provider refused rate-limit'),
      load,
    ),
    ...isAtMost('turns failed by the load', counters.of('failure overload') + counters.of('failure rate-limit'), load),
    ...isAtMost(
      'turns failed by broken answers',
      counters.of('failure cut') + counters.of('failure malformed'),
      broken,
    ),
    ...isAtMost('histories were not answered to their end', counters.of('sent and cut'), cutsAll),
    ...isAtMost('answers broke off on their way', counters.of('proxy trouble upstream-cut'), cuts),
    ...counters
      .under('proxy trouble ')
      .filter(([kind]) => kind !== 'upstream-cut')
      .map(([kind, times]) => `the proxy had ${times} times ${kind}`),
  ]
}
