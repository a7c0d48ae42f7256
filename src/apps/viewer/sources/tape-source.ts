import { statSync } from 'node:fs'
import { readSource } from '../../../doctor/files/source.ts'
import { inspect } from '../../../observe/tape/inspect.ts'
import { readTape } from '../../../observe/tape/read-tape.ts'
import type { Item, Source } from '../protocol.ts'
import { tapeDocument } from '../tape-document.ts'
import { encodeDocument } from './encode-document.ts'
import { mustBeTheOne, mustFit, theOne } from './limits.ts'
import type { OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/** What a flight recorder saw. `given` is the text of standard input, which can be read only once. */
export function openTape(source: Source, file: string, given?: string): OpenSource {
  const read = async (): Promise<string> => {
    if (given !== undefined) return given
    mustFit(file, statSync(file).size)
    return (await readSource(file)).text
  }
  return {
    source,
    async list({ tell, listed }) {
      const item: Item = { source: source.id, id: theOne, title: source.name, state: 'unknown' }
      tell(item)
      await pause()
      const { firstFailure } = inspect(readTape(await read()).entries)
      tell({
        ...item,
        state: firstFailure ? 'broken' : 'healthy',
        ...(firstFailure ? { note: firstFailure.headline } : {}),
      })
      listed()
    },
    async document(item) {
      mustBeTheOne(item, source)
      return encodeDocument(tapeDocument(source.name, await read()))
    },
    async close() {},
  }
}
