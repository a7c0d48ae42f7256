import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aiSdkChat } from '../../../../src/doctor/systems/ai-sdk-chat/index.ts'
import { wordsIn } from '../../../laws/random.ts'
import { readers, refusal } from '../../../strict/readers.ts'
import type { Subject } from '../../contract.ts'
import { corrupt, type Files, generate } from './generate.ts'
import { type Provider, requestOf } from './request.ts'

export const subject: Subject = {
  system: aiSdkChat,
  tag: 'DK',
  healthy: (seed, folder) => put(generate(seed), folder),
  corrupted: (seed, folder) => put(corrupt(seed, generate(seed)), folder),
  refusals,
  words: path => wordsIn(readFileSync(path, 'utf8')),
}

function put(files: Files, folder: string): string {
  const [[name, bytes]] = [...files]
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** Why the SDK does not ask, or the providers do not take what they are asked. */
export async function refusals(path: string): Promise<string[]> {
  const refused: string[] = []
  for (const provider of ['openai', 'anthropic'] as const) refused.push(...(await refusalOf(path, provider)))
  return refused
}

async function refusalOf(path: string, provider: Provider): Promise<string[]> {
  const reader = readers.find(({ dialect }) => dialect === provider)
  if (!reader) throw new Error(`no strict provider ${provider}`)
  try {
    const body = await requestOf(readFileSync(path), provider)
    const refused = refusal(body.messages as unknown[], reader, body)
    return refused ? [refused.message] : []
  } catch (error) {
    return [String(error)]
  }
}
