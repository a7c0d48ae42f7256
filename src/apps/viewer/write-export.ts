import { closeSync, openSync, readSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AntiphonError } from '../../core/errors.ts'
import { createFailureReason, failureReason, fileError } from '../../doctor/files/file-error.ts'
import { readPage } from './page-file.ts'
import { policyElement, policyOf } from './page-policy.ts'
import type { CatalogueItem } from './protocol.ts'
import { SourceIndex } from './source-index.ts'
import type { Extent } from './sources/open-source.ts'
import { openSources, type SourceOptions } from './sources/open-sources.ts'

export interface ExportOptions extends SourceOptions {
  readonly paths: readonly string[]
  /** The file to write. */
  readonly file: string
  /** Also replaces a file that is not an export. */
  readonly force?: boolean
  /** The HTML of the page, if it is not the one of this package. */
  readonly page?: string
}

export interface Exported {
  readonly items: number
  readonly bytes: number
  /** Why some paths could not be opened. */
  readonly failures: readonly Error[]
}

/** Writes the page and its documents as one file, which needs no server and no network. The file is replaced atomically. */
export async function writeExport(options: ExportOptions): Promise<Exported> {
  const { paths, file, force = false, page = readPage(), ...open } = options
  assertWritable(file, force)
  const { sources, failures } = await openSources(paths, open)
  const index = new SourceIndex(sources)
  try {
    await index.listed
    const draft = new DraftFile(file)
    try {
      const items = await writePage(page, index, draft)
      return { items, bytes: draft.finish(), failures }
    } catch (error) {
      draft.discard()
      throw AntiphonError.is(error) ? error : fileError(file, `it cannot be written: ${failureReason(error)}`)
    }
  } finally {
    await index.close()
  }
}

async function writePage(page: string, index: SourceIndex, draft: DraftFile): Promise<number> {
  const { start, body, end } = partsOf(page)
  draft.write(start)
  const { sources, items } = index
  const shown: CatalogueItem[] = []
  const documents: Found[] = []
  for (const item of items) {
    const found = await documentOf(index, item, 'head')
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
  for (const [place, { item }] of documents.entries()) {
    const pieces = await documentOf(index, item, 'whole')
    if (pieces instanceof Error) throw pieces
    draft.writeJson(`${place === 0 ? '' : ','}${JSON.stringify(`${item.source}/${item.id}`)}:`)
    for (const piece of pieces) draft.writeJson(piece)
  }
  draft.write('}</script>')
  draft.write(end)
  return shown.length
}

interface Found {
  readonly item: CatalogueItem
  readonly head: readonly string[]
}

async function documentOf(index: SourceIndex, item: CatalogueItem, extent: Extent): Promise<readonly string[] | Error> {
  try {
    return (await index.find(item.source)?.document(item.id, extent)) ?? new Error('it is gone')
  } catch (error) {
    return AntiphonError.is(error) ? error : new Error(failureReason(error))
  }
}

/** Splits the page before the element that it renders into, and after its script. */
function partsOf(page: string): { start: string; body: string; end: string } {
  const charset = page.indexOf(charsetTag)
  const drawn = page.indexOf(drawnTag)
  const documents = page.lastIndexOf(documentsTag)
  if (charset < 0 || drawn < charset || documents < drawn)
    throw new AntiphonError('missing-page', 'the built page of the viewer is not complete', {
      hint: 'run: npm run build',
    })
  const head = charset + charsetTag.length
  return {
    start: `${page.slice(0, head)}\n${generator}\n${policyElement(policyOf(page, "'none'"))}${page.slice(head, drawn)}`,
    body: page.slice(drawn, documents),
    end: page.slice(documents + documentsTag.length),
  }
}

const charsetTag = '<meta charset="utf-8">'
const drawnTag = '<div id="page">'
const documentsTag = '<!-- documents -->'
const generator = '<meta name="generator" content="antiphon view --export">'

/** An existing file is replaced only if it is an export, too. */
function assertWritable(file: string, force: boolean): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat || (force && stat.isFile())) return
  if (!stat.isFile()) throw fileError(file, 'not a file, so it cannot be written')
  if (!firstBytes(file).includes(generator))
    throw new AntiphonError('not-an-export', `${file}: the file exists and is not an export`, {
      hint: '--force replaces it',
    })
}

function firstBytes(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(1024)
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, 0)).toString()
  } finally {
    closeSync(handle)
  }
}

/** A temporary file that is renamed when it is complete. */
class DraftFile {
  readonly #path: string
  readonly #draft: string
  readonly #handle: number
  #bytes = 0

  constructor(file: string) {
    this.#path = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file
    this.#draft = join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}.antiphon`)
    try {
      // Only the owner may read it.
      this.#handle = openSync(this.#draft, 'wx', 0o600)
    } catch (error) {
      throw fileError(file, `it cannot be written: ${createFailureReason(error)}`)
    }
  }

  write(text: string): void {
    const bytes = Buffer.from(text)
    this.#bytes += bytes.length
    if (this.#bytes > bytesMax)
      throw fileError(basename(this.#path), 'the export would exceed 256 MB', 'export fewer paths')
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at)
  }

  /** Escapes `<`, which JSON has only in strings, so that nothing in the data ends the script element. */
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
      // It was already closed.
    }
    rmSync(this.#draft, { force: true })
  }
}

const bytesMax = 256 * 1024 * 1024
