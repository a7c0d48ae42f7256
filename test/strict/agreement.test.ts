import { describe, expect, test } from 'vitest'
import { check, type Diagnostic, heal, healRequest } from '../../src/index.ts'
import { facts } from '../../src/strict/facts/index.ts'
import { history, validHistory } from '../laws/history.ts'
import { seedsOf, triesAll } from '../sample.ts'
import { readable } from './readable.ts'
import { type Reader, readers, refusal, requestOf } from './readers.ts'
import { isUnknowable } from './unknowable.ts'

/** By parity those of corrupted conversations and of free-form histories. */
const seeds = seedsOf(250, 80).map(index => 3_000_000 + index)

describe.each(readers)('$dialect in $format, judged by $provider', reader => {
  test('[S1] whatever was healed is accepted', () => {
    let judged = 0
    for (const { seed, messages } of subjectsOf(reader)) {
      const healed = heal(messages, optionsOf(reader))
      if (healed.length === 0) continue
      judged++
      expectAccepted(seed, sayRefusal(healed, reader))
    }
    expect(judged).toBeGreaterThan(0.8 * seeds.length)
  })

  test('[S2] whatever is healthy is accepted', () => {
    let healthy = 0
    for (const subject of subjectsOf(reader)) {
      const valid = subjectOf(validHistory(reader.format, subject.seed).messages, reader, subject.seed)
      for (const { seed, messages, errors } of [valid, subject]) {
        if (messages.length === 0 || errors.length > 0) continue
        healthy++
        expectAccepted(seed, sayRefusal(messages, reader))
      }
    }
    // For Mistral few are healthy.
    if (triesAll) expect(healthy).toBeGreaterThan(0)
  })
})

const thinkers = readers.filter(({ dialect }) => dialect === 'anthropic' || dialect === 'bedrock')

describe.each([
  ...thinkers,
  ...thinkers.filter(({ format }) => format === 'anthropic').map(reader => ({ ...reader, model: 'claude-opus-4-8' })),
])('thinking of $model in $format', reader => {
  test('[S1] whatever was healed is accepted, with thinking switched on, off or not spoken of', () => {
    let judged = 0
    const settings = [{ type: 'enabled', budget_tokens: 1024 }, { type: 'disabled' }, undefined]
    for (const seed of seeds) {
      const thinking = settings[seed % settings.length]
      const said = reader.format === 'anthropic' ? { thinking } : { additionalModelRequestFields: { thinking } }
      const asked = requestOf(readable(history(reader.format, seed).messages, reader), reader, said)
      const { messages, ...request } = healRequest(asked, optionsOf(reader)).body
      if (!Array.isArray(messages) || messages.length === 0) continue
      judged++
      expectAccepted(seed, sayRefusal(messages, reader, request))
    }
    expect(judged).toBeGreaterThan(0.8 * seeds.length)
  })
})

describe('what is healed though no provider is known to refuse it', () => {
  test('[S3] is only what is known from third parties, or inferred and harmless', () => {
    const laxer = new Map<string, Set<string>>()
    for (const reader of readers) {
      for (const { messages, errors } of subjectsOf(reader)) {
        if (errors.length === 0 || refusal(messages, reader)) continue
        for (const { rule } of errors) laxer.set(rule, (laxer.get(rule) ?? new Set()).add(reader.dialect))
      }
    }
    const unexplained = [...laxer]
      .filter(([rule]) => !(rule in reasons))
      .map(([rule, who]) => `${rule}: ${[...who].join(', ')}`)
    console.log(
      [...laxer]
        .map(([rule, who]) => `${rule} (${reasons[rule] ?? '?'}): ${[...who].sort().join(', ')}`)
        .sort()
        .join('\n'),
    )
    expect(unexplained).toEqual([])
    expect(laxer.size).toBeGreaterThan(triesAll ? 15 : 10)
  })

  test('[S3] every fact that refuses says how it is known', () => {
    expect(facts.length).toBeGreaterThan(150)
    for (const { id, evidence } of facts) expect(['S', 'D', 'C', 'T', 'I'], id).toContain(evidence)
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length)
  })
})

/** Why a rule heals what the strict provider lets pass. */
const reasons: Record<string, string> = {
  'blank-text': 'T: known of some readers from third parties, harmless for the others',
  'broken-alternation': 'T: ge-alternate, and mm-mismatch as one client saw it',
  'call-without-reasoning': 'S, but only the server that made an item can tell (or-fc-no-reasoning)',
  'duplicate-call-id': 'T: an-dup-use across turns; I: a result could not be tied to one of them',
  'duplicate-result': 'I: of readers that are not known to count them, and across runs of results',
  'early-result': 'I: of readers that match by id in any position, or not at all',
  'empty-calls': 'T: qw-empty-toolcalls; I for others',
  'empty-id': 'I: without an id a result cannot be tied to its call',
  'empty-message': 'I: an empty list as content, and readers of which no refusal is known',
  'empty-result': 'T: mm-empty; I for others',
  'foreign-provider-call': 'I: a result whose call is not of its sort',
  'foreign-role': 'C: mistral-common knows no role developer, but what is said of it was never seen',
  'interleaved-message': 'I: what stands between is nothing that the provider reads, or it combines neighbours',
  'malformed-arguments': 'I: of readers that pass arguments on unread, or read values',
  'malformed-id': 'T: a number in place of a text, which clients quote as refused',
  'malformed-item-id': 'T: a trailing underscore (or-id-charset)',
  'malformed-name': 'I: what is no text in place of a name',
  'malformed-result': 'I: a response that is no object, where the reader is not known to refuse it',
  'mismatched-result': 'T: or-orphan-custom',
  'misplaced-result': 'I: of readers that match by id in any position, or combine neighbours',
  'misplaced-thinking': 'T: an-content-after-use',
  'missing-content': 'S on Azure only: oc-azure-required-content; T: mm-empty',
  'missing-user': 'T: mm-empty',
  'orphan-result': 'T: oc-unknown-id; I for readers that count results only',
  'reasoning-without-follower': 'I: what the client gives under types whose refusal was never seen',
  'split-results': 'T: an-OPEN-split',
  'split-step': 'I: readers that combine neighbours, or look at no pairs at all',
  'system-not-first': 'C: mistral-common knows no role developer, which stands for system',
  'system-role': 'I: of an endpoint whose refusal was never seen',
  'text-after-call': 'T: an-content-after-use',
  'text-beside-results': 'I',
  'unanswered-call': 'I: readers that count results, or look at no pairs at all; ids that stand twice',
  'unpaired-provider-call': 'I: of hosts that run no tools themselves',
  'unreadable-part': 'I',
  'unsigned-call': 'S for the open turn (gi-signature), I for the turns before it',
  'unsigned-thinking': 'I: thinking in a message of the user, or redacted and without its data',
  'wrong-first-role': 'T: ge-start',
  'wrong-last-role': 'T: ge-end',
  'wrong-side': 'I: of an endpoint whose refusal was never seen',
}

const optionsOf = ({ dialect, format, model }: Reader) => ({ for: dialect, format, model })

interface Subject {
  readonly seed: number
  readonly messages: readonly unknown[]
  readonly errors: readonly Diagnostic[]
}

/** The broken histories as a reader gets them, each looked over once for all tests. */
function subjectsOf(reader: Reader): readonly Subject[] {
  const known = subjects.get(reader)
  if (known) return known
  const made = seeds.map(seed => subjectOf(history(reader.format, seed).messages, reader, seed))
  subjects.set(reader, made)
  return made
}

const subjects = new Map<Reader, readonly Subject[]>()

function subjectOf(history: readonly unknown[], reader: Reader, seed: number): Subject {
  const messages = readable(history, reader)
  const errors = check(messages, optionsOf(reader)).filter(({ severity }) => severity === 'error')
  return { seed, messages, errors }
}

/** Looks by itself first: there are so many that the words for each would cost as much as the judging. */
function expectAccepted(seed: number, said: string): void {
  if (said !== 'accepted') expect(said, `seed ${seed}`).toBe('accepted')
}

function sayRefusal(messages: readonly unknown[], reader: Reader, request?: object): string {
  const refused = refusal(messages, reader, request)
  return refused && !isUnknowable(refused) ? `${refused.fact}: ${refused.message}` : 'accepted'
}
