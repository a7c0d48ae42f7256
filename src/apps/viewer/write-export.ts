import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason, unreadable } from '../../doctor/files/file-error.ts'
import { Catalogue } from './catalogue.ts'
import { readPage } from './page-file.ts'
import { policyElement, policyOf } from './page-policy.ts'
import type { Item } from './protocol.ts'
import type { Extent } from './sources/open-source.ts'
import { type OpenOptions, openSources } from './sources/open-sources.ts'

export interface ExportOptions extends OpenOptions {
  readonly paths: readonly string[]
  /** The file to write. */
  readonly file: string
  /** Replaces a file that is no export. */
  readonly force?: boolean
  /** The page, if it is not the one of this package. */
  readonly page?: string
}

export interface Exported {
  readonly items: number
  readonly bytes: number
  /** What could not be opened, beside what could. */
  readonly troubles: readonly Error[]
}

/** Writes the page with everything in it as one file, which needs no server and no network. All at once, or not at all. */
export async function writeExport(options: ExportOptions): Promise<Exported> {
  const { paths, file, force = false, page = readPage(), ...open } = options
  mustBeFree(file, force)
  const { sources, troubles } = await openSources(paths, open)
  const catalogue = new Catalogue(sources)
  try {
    await catalogue.listed
    const draft = new DraftFile(file)
    try {
      const items = await writePage(page, catalogue, draft)
      return { items, bytes: draft.finish(), troubles }
    } catch (error) {
      draft.discard()
      throw AntiphonError.is(error) ? error : unreadable(file, `it cannot be written: ${failureReason(error)}`)
    }
  } finally {
    await catalogue.close()
  }
}

async function writePage(page: string, catalogue: Catalogue, draft: DraftFile): Promise<number> {
  const { start, body, end } = partsOf(page)
  draft.write(start)
  const { sources, items } = catalogue
  const shown: Item[] = []
  const documents: Found[] = []
  for (const item of items) {
    const found = await documentOf(catalogue, item, 'head')
    shown.push(found instanceof Error ? { ...item, state: 'unreadable', note: found.message } : item)
    if (!(found instanceof Error))
      documents.push({ item, head: documents.length === 0 && item === items[0] ? found : [] })
  }
  const first = documents[0]?.head ?? []
  draft.write('<script type="application/json" id="antiphon-head">')
  draft.writeJson(`{"sources":${JSON.stringify(sources)},"items":${JSON.stringify(shown)}`)
  if (first.length > 0) for (const piece of [',"first":', ...first]) draft.writeJson(piece)
  draft.write('}</script>\n')
  draft.write(body)
  draft.write('<script type="application/json" id="antiphon-documents">{')
  for (const [index, { item }] of documents.entries()) {
    const pieces = await documentOf(catalogue, item, 'whole')
    if (pieces instanceof Error) throw pieces
    draft.writeJson(`${index === 0 ? '' : ','}${JSON.stringify(`${item.source}/${item.id}`)}:`)
    for (const piece of pieces) draft.writeJson(piece)
  }
  draft.write('}</script>')
  draft.write(end)
  return shown.length
}

interface Found {
  readonly item: Item
  readonly head: readonly string[]
}

async function documentOf(catalogue: Catalogue, item: Item, extent: Extent): Promise<readonly string[] | Error> {
  try {
    return (await catalogue.find(item.source)?.document(item.id, extent)) ?? new Error('it is gone')
  } catch (error) {
    return AntiphonError.is(error) ? error : new Error(failureReason(error))
  }
}

/** Where the page comes apart: in front of what it draws in, and behind its script. */
function partsOf(page: string): { start: string; body: string; end: string } {
  const charset = page.indexOf(charsetMark)
  const drawn = page.indexOf(drawnMark)
  const documents = page.lastIndexOf(documentsMark)
  if (charset < 0 || drawn < charset || documents < drawn)
    throw new AntiphonError('missing-page', 'the page is none that conversations can be put into', {
      hint: 'run: npm run build',
    })
  const head = charset + charsetMark.length
  return {
    start: `${page.slice(0, head)}\n${generator}\n${policyElement(policyOf(page, "'none'"))}${page.slice(head, drawn)}`,
    body: page.slice(drawn, documents),
    end: page.slice(documents + documentsMark.length),
  }
}

const charsetMark = '<meta charset="utf-8">'
const drawnMark = '<div id="page">'
const documentsMark = '<!-- documents -->'
const generator = '<meta name="generator" content="antiphon view --export">'

/** What stands there already is only replaced if it is an export too. */
function mustBeFree(file: string, force: boolean): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat || (force && stat.isFile())) return
  if (!stat.isFile()) throw unreadable(file, 'it is no file, so nothing can be written there')
  if (!headOf(file).includes(generator))
    throw new AntiphonError('not-an-export', `${file}: it is there already, and no export`, {
      hint: '--force replaces it',
    })
}

function headOf(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(1024)
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0)).toString()
  } finally {
    closeSync(handle)
  }
}

/** A file that takes its name only when it is whole. */
class DraftFile {
  readonly #path: string
  readonly #draft: string
  readonly #handle: number
  #bytes = 0

  constructor(file: string) {
    this.#path = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file
    this.#draft = join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}.antiphon`)
    try {
      // Conversations are nobody else's business.
      this.#handle = openSync(this.#draft, 'wx', 0o600)
    } catch (error) {
      throw unreadable(file, `it cannot be written: ${failureReason(error)}`)
    }
  }

  write(text: string): void {
    const bytes = Buffer.from(text)
    this.#bytes += bytes.length
    if (this.#bytes > bytesMax)
      throw unreadable(basename(this.#path), 'it would have more than 256 MB', 'export less at once')
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at)
  }

  /** JSON has a `<` in texts alone, where it can be written in another way: so nothing in it ends its element. */
  writeJson(text: string): void {
    this.write(text.replaceAll('<', '\\u003c'))
  }

  finish(): number {
    closeSync(this.#handle)
    renameSync(this.#draft, this.#path)
    return this.#bytes
  }

  discard(): void {
    try {
      closeSync(this.#handle)
    } catch {
      // It was closed before the last step failed.
    }
    rmSync(this.#draft, { force: true })
  }
}

const bytesMax = 256 * 1024 * 1024
