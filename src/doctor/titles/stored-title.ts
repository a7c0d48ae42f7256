import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { mustHaveNoLinks } from '../files/no-links.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { titleFrom } from './title-text.ts'

/** A title that a program keeps in a small file of its own, as a property of a conversation. */
export const titled = (title: string | undefined): { title?: string } => (title === undefined ? {} : { title })

/** A file in a folder of a store. */
export type FileIn = readonly [folder: string, file: string]

/** The value of a JSON file; undefined if the file is missing or is something else. */
export const valueInJson = (file: FileIn): unknown => tryParseJson(textIn(file) ?? '')

/** The member of a JSON file that is a title; undefined if the file is missing or is something else. */
export function titleInJson(file: FileIn, key: string): string | undefined {
  const value = valueInJson(file)
  return isRecord(value) ? titleFrom(value[key]) : undefined
}

/** A top-level text of a YAML file, plain, quoted or as a block. */
export function titleInYaml(file: FileIn, key: string): string | undefined {
  const lines = textIn(file)?.split(/\r?\n/) ?? []
  const at = lines.findIndex(line => line.startsWith(`${key}:`))
  const value = lines[at]?.slice(key.length + 1).trim() ?? ''
  if (/^[|>][-+\d]*$/.test(value)) return titleFrom(lines[at + 1]?.replace(/^\s+/, ''))
  if (value.startsWith('"')) return titleFrom(tryParseJson(value))
  if (value.startsWith("'")) return titleFrom(value.slice(1, -1).replaceAll("''", "'"))
  return value === '~' || value === 'null' ? undefined : titleFrom(value)
}

/** The tasks of a file with one entry for each, by their ids. The file that was read last is kept: all sessions of a folder share it. */
export function titlesInList(file: FileIn, key: string): ReadonlyMap<string, string> {
  const path = join(...file)
  const stat = statSync(path, { throwIfNoEntry: false })
  const stamp = `${stat?.ino} ${stat?.size} ${stat?.mtimeMs} ${path}`
  if (lastList?.stamp === stamp) return lastList.titles
  const value = tryParseJson(textIn(file) ?? '')
  const titles = new Map<string, string>()
  for (const entry of Array.isArray(value) ? value : []) {
    const title = isRecord(entry) ? titleFrom(entry[key]) : undefined
    if (title !== undefined) titles.set(String(entry.id), title)
  }
  lastList = { stamp, titles }
  return titles
}

let lastList: { readonly stamp: string; readonly titles: ReadonlyMap<string, string> } | undefined

/** No link between the folder and the file is followed: it may lead out of the store. */
function textIn([folder, file]: FileIn): string | undefined {
  const path = join(folder, file)
  try {
    mustHaveNoLinks(folder, path)
    return statSync(path).size > bytesMax ? undefined : readRegularFile(path).toString()
  } catch {
    return undefined
  }
}

const bytesMax = 32 * 1024 * 1024
