import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeExport } from '../../../src/apps/viewer/index.ts'
import type { ExportDocuments, ExportHead } from '../../../src/apps/viewer/protocol.ts'
import { root } from '../../repository.ts'
import { folder } from '../cli/program.ts'
import { sampleStores } from './browser/sample-stores.ts'
import { documentOf, itemsOf, smallPage, withViewer } from './viewer-server.ts'

/** What a browser finds in the file: an element ends at the first end tag, wherever that is. */
function readExport(file: string): { head: ExportHead; documents: ExportDocuments; text: string } {
  const text = readFileSync(file, 'utf8')
  const element = (id: string): string => {
    const start = text.indexOf(`<script type="application/json" id="${id}">`)
    return text.slice(text.indexOf('>', start) + 1, text.indexOf('</script', start))
  }
  return { head: JSON.parse(element('antiphon-head')), documents: JSON.parse(element('antiphon-documents')), text }
}

const corpus = globSync('test/corpus/*.json', { cwd: root })
  .sort()
  .filter((_, index) => index % 10 === 0)
  .map(file => join(root, file))

describe('an exported file', () => {
  test('[VW20] it contains what the server sends, for every sample store and for real failures', async () => {
    const home = folder()
    const histories = corpus.map((path, index) => {
      const file = join(home, `${index}.json`)
      writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(path, 'utf8')).messages))
      return file
    })
    const paths = [...histories, ...sampleStores(home).map(({ path }) => path)]
    const file = join(home, 'all.html')
    const { items, bytes, failures } = await writeExport({ paths, file, page: smallPage })
    expect({ failures, bytes }).toEqual({ failures: [], bytes: statSync(file).size })
    const { head, documents } = readExport(file)
    await withViewer({ paths }, async viewer => {
      const told = await itemsOf(viewer)
      expect(items).toBe(told.length)
      expect(head.items.toSorted(byPlace)).toEqual(told.toSorted(byPlace))
      expect(Object.keys(documents)).toHaveLength(told.length)
      for (const item of told) expect(documents[`${item.source}/${item.id}`]).toEqual(await documentOf(viewer, item))
      expect(head.first).toEqual(await documentOf(viewer, head.items[0], '?head'))
    })
  })

  test('[VW21] no content of a conversation closes its element, and the file may not request anything', async () => {
    const words = '</script><script>alert(1)</script><!-- documents --><!--<script>\u2028 <div id="page"> $& $1'
    const home = folder({ '<!--.json': JSON.stringify([{ role: 'user', content: words }]) })
    const file = join(home, 'out.html')
    await writeExport({ paths: [join(home, '<!--.json')], file, page: smallPage })
    const { documents, head, text } = readExport(file)
    expect(documents['1/1']).toMatchObject({ value: [{ role: 'user', content: words }] })
    expect(head.first).toEqual(documents['1/1'])
    const script = /<script>[\s\S]*?<\/script>/.exec(smallPage)?.[0] ?? ''
    expect(text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/json" id="antiphon-head">',
      '<script>',
      '<script type="application/json" id="antiphon-documents">',
    ])
    expect(text).toContain(script)
    expect(text.indexOf('antiphon-head')).toBeLessThan(text.indexOf('<div id="page">'))
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(text)?.[1]
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'none';.*connect-src 'none'/)
    expect(text.indexOf('http-equiv')).toBeLessThan(text.indexOf('<script'))
  })

  test('[VW22] only an export is replaced, atomically, and no temporary file remains', async () => {
    const home = folder({ 'chat.json': '[{"role":"user","content":"hi"}]', 'mine.html': 'my own page' })
    const paths = [join(home, 'chat.json')]
    const mine = join(home, 'mine.html')
    await expect(writeExport({ paths, file: mine, page: smallPage })).rejects.toThrow(
      'the file exists and is not an export',
    )
    expect(readFileSync(mine, 'utf8')).toBe('my own page')
    await expect(writeExport({ paths, file: home, page: smallPage })).rejects.toThrow('not a file')
    await expect(writeExport({ paths, file: join(home, 'no', 'x.html'), page: smallPage })).rejects.toThrow(
      'its folder does not exist',
    )
    await expect(writeExport({ paths: [mine], file: join(home, 'x.html'), page: smallPage })).rejects.toThrow(
      'mine.html',
    )
    await writeExport({ paths, file: mine, page: smallPage, force: true })
    mkdirSync(join(home, 'links'))
    symlinkSync(mine, join(home, 'links', 'mine.html'))
    await writeExport({ paths: [...paths, ...paths], file: join(home, 'links', 'mine.html'), page: smallPage })
    expect(Object.keys(readExport(mine).documents)).toEqual(['1/1', '2/1'])
    expect(readdirSync(home).sort()).toEqual(['chat.json', 'links', 'mine.html'])
    expect(existsSync(join(home, 'x.html'))).toBe(false)
  })
})

const byPlace = (one: { source: string; id: string }, other: { source: string; id: string }): number =>
  `${one.source} ${one.id}`.localeCompare(`${other.source} ${other.id}`)
