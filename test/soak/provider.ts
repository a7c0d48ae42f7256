import { type FailureMode, startStrict } from '../../src/strict/index.ts'
import { Random } from '../laws/random.ts'
import { attend, settingOf } from './inside.ts'
import { answer, taskOf } from './plan.ts'

// The strict providers. They fail as often as they are told to; whatever else they refuse is what the soak looks for.
const random = new Random(settingOf().seed ^ 0x57)
const modes: readonly (FailureMode | undefined)[] = [
  ...([
    'overload',
    'overload',
    'rate-limit',
    'overload:stream',
    'cut',
    'cut',
    'malformed',
    'slow:30',
    'slow:30',
  ] as const),
  ...Array.from({ length: 41 }, () => undefined),
]
let isCalm = false
let answers = 0

const service = attend({
  calm() {
    isCalm = true
  },
  stop: () => strict.close(),
})
const strict = await startStrict({
  script(asked) {
    const fail = isCalm ? undefined : random.pick(modes)
    const said = answer(asked, answers++)
    if (fail === undefined) return said
    service.count(`injected ${fail}`)
    const task = taskOf(asked.body)
    if (task !== undefined && !fail.startsWith('slow')) service.count(`failed for ${task}`)
    return { ...said, fail }
  },
  onRequest({ verdict, provider, path, body }) {
    service.count('requests')
    // Kept for tests that look at each: of a long run they would be all its memory.
    strict.requests.length = 0
    if (verdict === 'accepted') return
    service.count(`refused ${verdict.fact}`)
    if (verdict.fact !== 'overload' && verdict.fact !== 'rate-limit')
      service.reportError(
        `${provider} at ${path} refused by ${verdict.fact}: ${verdict.message} ${JSON.stringify(body).slice(0, 4_000)}`,
      )
  },
})
service.ready(strict.url)
