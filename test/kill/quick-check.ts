/**
 * What kills most mutants of the rules, the pairing and the scans, without a test runner, which takes longer to start than
 * this takes to run: `examples [RULE]` are the examples of all rules, those of RULE first, as in test/core/rules.test.ts;
 * `scan FORMAT` is the law of the scans on the same histories as in test/laws/laws.test.ts and test/laws/tiny.test.ts.
 * Prints the first failure and exits with 1.
 */
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { rules } from '../../src/core/rules/index.ts'
import { checkInvalid, checkValid, readExamples } from '../core/check-examples.ts'
import { tryEditedScan, tryScan, tryTinyScan } from '../laws/scan-law.ts'

const [what, which = ''] = process.argv.slice(2)
const failure = what === 'scan' ? scanFailure(which) : await exampleFailure(which)
if (failure !== undefined) console.log(`failed: ${failure}`)
process.exitCode = failure === undefined ? 0 : 1

async function exampleFailure(first: string): Promise<string | undefined> {
  const ids = rules.map(rule => rule.id).sort((a, b) => Number(b === first) - Number(a === first))
  for (const id of ids) {
    const { valid, invalid } = await readExamples(id)
    for (const example of invalid) if (throws(() => checkInvalid(id, example))) return `[R1] ${id}: ${example.name}`
    for (const example of valid) if (throws(() => checkValid(id, example))) return `[R1] ${id}: ${example.name}`
  }
  return undefined
}

function scanFailure(format: string): string | undefined {
  if (!Object.hasOwn(codecs, format)) throw new Error(`unknown format "${format}"`)
  const codec = format as CodecId
  const failure =
    tryTinyScan(codec, 150).failure ?? tryEditedScan(codec).failure ?? tryScan(codec, [...Array(800).keys()]).failure
  return failure === undefined ? undefined : `[L10] ${failure.slice(0, 120)}`
}

function throws(run: () => void): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
