import { describe, expect, test } from 'vitest'
import { check, heal } from '../../src/index.ts'
import { facts } from '../../src/strict/facts/index.ts'
import { history, validHistory } from '../laws/history.ts'
import { type Reader, readers, refusal } from './readers.ts'

const seeds = Array.from({ length: 500 }, (_, index) => 3_000_000 + 2 * index)

describe.each(readers)('$dialect in $format, judged by $provider', reader => {
  test('[S1] whatever was healed is accepted', () => {
    for (const seed of seeds) {
      const healed = healedFor(history(reader.format, seed).messages, reader)
      if (healed.length > 0 && isReadable(healed, reader))
        expect(sayRefusal(healed, reader), `seed ${seed}`).toBe('accepted')
    }
  })

  test('[S2] whatever is healthy is accepted', () => {
    let healthy = 0
    for (const seed of seeds) {
      for (const { messages } of [validHistory(reader.format, seed), history(reader.format, seed)]) {
        if (errorsIn(messages, reader).length > 0 || messages.length === 0 || !isReadable(messages, reader)) continue
        healthy++
        expect(sayRefusal(messages, reader), `seed ${seed}`).toBe('accepted')
      }
    }
    expect(healthy).toBeGreaterThan(0)
  })
})

describe('what is healed though no provider is known to refuse it', () => {
  test('[S3] is only what is known from third parties, or inferred and harmless', () => {
    const laxer = new Map<string, Set<string>>()
    for (const reader of readers) {
      for (const seed of seeds) {
        const { messages } = history(reader.format, seed)
        const errors = errorsIn(messages, reader)
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
  'interleaved-message': 'I: what stands between is nothing that the provider reads, or it combines neighbours',
  'malformed-arguments': 'I: of readers that pass arguments on unread, or read values',
  'malformed-id': 'T: a number in place of a text, which clients quote as refused',
  'malformed-item-id': 'T: a trailing underscore (or-id-charset)',
  'malformed-result': 'I: a response that is no object, where the reader is not known to refuse it',
  'mismatched-result': 'T: or-orphan-custom',
  'misplaced-result': 'I: of readers that match by id in any position, or combine neighbours',
  'misplaced-thinking': 'T: an-content-after-use',
  'missing-content': 'S on Azure only: oc-azure-required-content; T: mm-empty',
  'missing-user': 'T: mm-empty',
  'orphan-result': 'T: oc-unknown-id; I for readers that count results only',
  'split-results': 'T: an-OPEN-split',
  'split-step': 'I: readers that combine neighbours, or look at no pairs at all',
  'system-role': 'I: of an endpoint whose refusal was never seen',
  'text-after-call': 'T: an-content-after-use',
  'text-beside-results': 'I',
  'unanswered-call': 'I: readers that count results, or look at no pairs at all; ids that stand twice',
  'unpaired-provider-call': 'I: of hosts that run no tools themselves',
  'unreadable-part': 'I',
  'wrong-first-role': 'T: ge-start',
  'wrong-last-role': 'T: ge-end',
  'wrong-side': 'I: of an endpoint whose refusal was never seen',
}

const optionsOf = ({ dialect, format, model }: Reader) => ({ for: dialect, format, model })

const healedFor = (messages: unknown[], reader: Reader): unknown[] => heal(messages, optionsOf(reader))

const errorsIn = (messages: unknown[], reader: Reader) =>
  check(messages, optionsOf(reader)).filter(({ severity }) => severity === 'error')

/** Of a message that nobody can read nothing is promised. */
const isReadable = (messages: unknown[], reader: Reader): boolean =>
  !check(messages, optionsOf(reader)).some(({ rule }) => rule === 'unreadable-message')

function sayRefusal(messages: unknown[], reader: Reader): string {
  const refused = refusal(messages, reader)
  return refused ? `${refused.fact}: ${refused.message}` : 'accepted'
}
