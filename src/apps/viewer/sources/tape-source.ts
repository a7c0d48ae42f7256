import { statSync } from 'node:fs'
import { readSource } from '../../../doctor/files/source.ts'
import { inspect } from '../../../observe/tape/inspect.ts'
import { readTape } from '../../../observe/tape/read-tape.ts'
import type { CatalogueItem, SourceInfo } from '../protocol.ts'
import { tapeDocument } from '../tape-document.ts'
import { encodeDocument } from './encode-document.ts'
import { assertOnlyItem, assertSize, onlyItemId } from './limits.ts'
import type { OpenSource } from './open-source.ts'
import { pause } from './pause.ts'

/** A recorded tape. `given` is the text of standard input, which can be read only once. */
export function openTapeSource(source: SourceInfo, file: string, given?: string): OpenSource {
  const read = async (): Promise<string> => {
    if (given !== undefined) return given
    assertSize(file, statSync(file).size)
    return (await readSource(file)).text
  }
  return {
    source,
    async list({ onItem, onListed }) {
      const item: CatalogueItem = { source: source.id, id: onlyItemId, title: source.name, state: 'unknown' }
      onItem(item)
      await pause()
      const { firstFailure } = inspect(readTape(await read()).entries)
      onItem({
        ...item,
        state: firstFailure ? 'broken' : 'healthy',
        ...(firstFailure ? { note: firstFailure.headline } : {}),
      })
      onListed()
    },
    async document(item) {
      assertOnlyItem(item, source)
      return encodeDocument(tapeDocument(source.name, await read()))
    },
    async close() {},
  }
}
