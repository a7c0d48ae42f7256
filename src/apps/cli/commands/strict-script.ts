import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import { parseJson } from '../../../doctor/files/parse-json.ts'
import { readSource } from '../../../doctor/files/source.ts'
import { checkScript } from '../../../strict/answers/check-reply.ts'
import type { ReplyScript } from '../../../strict/index.ts'

/** Reads the replies of the model from a JSON file or a module. Throws if the file is not a valid script. */
export async function readScript(file: string): Promise<ReplyScript> {
  const value = /\.[cm]?[jt]s$/.test(file) ? await readModule(file) : await readJson(file)
  try {
    return checkScript(value)
  } catch (error) {
    throw fileError(file, (error as Error).message, takes)
  }
}

async function readJson(file: string): Promise<unknown> {
  const { name, text } = await readSource(file)
  return parseJson(text, name, JSON.parse)
}

async function readModule(file: string): Promise<unknown> {
  await access(file).catch(error => {
    throw fileError(file, failureReason(error))
  })
  const module = await import(pathToFileURL(resolve(file)).href).catch(error => {
    throw fileError(file, `it cannot be loaded (${String((error as Error).message).split('\n', 1)[0]})`)
  })
  if (!('default' in module)) throw fileError(file, 'it has no default export', takes)
  return module.default
}

const takes = 'a script is a list of replies, or a module whose default export is such a list or a function'
