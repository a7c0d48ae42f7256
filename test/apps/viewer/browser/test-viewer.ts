import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startViewer, type Viewer, type ViewerOptions } from '../../../../src/apps/viewer/index.ts'

/** A folder for one test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-viewer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A viewer for one test. */
export async function testViewer(
  paths: readonly string[],
  options: Omit<ViewerOptions, 'paths'> = {},
): Promise<Viewer> {
  const viewer = await startViewer({ paths, ...options })
  onTestFinished(() => viewer.close())
  return viewer
}
