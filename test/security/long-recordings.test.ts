import { readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RecordingFile } from '../../src/apps/cli/commands/recording-file.ts'
import { inFolder } from '../doctor/contract.ts'

const recorded = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('[SE313] a recording of strict --record', () => {
  test('is complete after every reply, and none is written again for the next one', () =>
    inFolder(async folder => {
      const file = join(folder, 'replies.json')
      const recording = new RecordingFile(file, file)
      recording.begin()
      expect(recorded(file)).toEqual([])
      const replies = Array.from({ length: 50 }, (_, index) => ({ text: `reply ${index}, é` }))
      const inodes = new Set<number>()
      for (const [index, reply] of replies.entries()) {
        recording.set(recording.reserve(), reply)
        expect(recorded(file)).toEqual(replies.slice(0, index + 1))
        if (index > 0) inodes.add(statSync(file).ino)
      }
      expect(inodes.size).toBe(1)
      expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(replies, undefined, 2)}\n`)
    }))

  test('has the replies in the order of the requests, whichever is answered first', () =>
    inFolder(async folder => {
      const file = join(folder, 'replies.json')
      const recording = new RecordingFile(file, file)
      recording.begin()
      const places = Array.from({ length: 6 }, () => recording.reserve())
      const answered: number[] = []
      for (const index of [3, 5, 0, 4, 1]) {
        recording.set(places[index] ?? -1, { text: `reply ${index}` })
        answered.push(index)
        const inOrder = [...answered].sort().map(one => ({ text: `reply ${one}` }))
        expect(recorded(file)).toEqual(inOrder)
      }
      expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(recorded(file), undefined, 2)}\n`)
    }))

  test.each<[string, (file: string, other: string) => void]>([
    ['edited', file => writeFileSync(file, '[\n  "another"\n]\n')],
    ['moved away', (file, other) => renameSync(file, other)],
    [
      'replaced by a link',
      (file, other) => {
        renameSync(file, other)
        symlinkSync(other, file)
      },
    ],
  ])('is whole again after its file was %s', (_, change) =>
    inFolder(async folder => {
      const [file, other] = [join(folder, 'replies.json'), join(folder, 'other.json')]
      const recording = new RecordingFile(file, file)
      recording.begin()
      recording.set(recording.reserve(), 'one')
      recording.set(recording.reserve(), 'two')
      change(file, other)
      recording.set(recording.reserve(), 'three')
      expect(recorded(file)).toEqual(['one', 'two', 'three'])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }),
  )
})
