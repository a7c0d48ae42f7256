import type { Scores } from './report.ts'
import type { Tally } from './tally.ts'

/** Where antiphon fails, or a peer heals more of a class than it does: a line each, and none if all is well. */
export function findFailures({ control, peers, codecs }: Scores): string[] {
  const lines: string[] = []
  const fail = (where: string, { failures }: Tally) => {
    for (const [failure, known] of Object.entries(failures))
      lines.push(`antiphon, ${where}: ${failure} ${known.count} times, first ${known.first}`)
  }
  for (const { name: peer, classes, corpus } of [control, ...peers]) {
    const sides = Object.values(classes).flatMap(({ alone, company }) => [alone, company])
    for (const { antiphon } of [...sides, corpus]) fail(`the histories of ${peer}`, antiphon)
    for (const [name, { alone, company }] of Object.entries(classes)) {
      for (const { peer: its, antiphon } of [alone, company]) {
        if (its.healed > antiphon.healed || its.kept > antiphon.kept)
          lines.push(`${peer} is ahead of antiphon in ${name}`)
      }
    }
  }
  for (const { codec, classes, corpus } of codecs) {
    for (const { alone, company } of Object.values(classes)) for (const tally of [alone, company]) fail(codec, tally)
    fail(codec, corpus)
  }
  return lines
}
