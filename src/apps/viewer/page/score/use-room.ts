import { useRef } from 'preact/hooks'

/** How tall the sheet has been in a window as high as this one: what stands above it comes and goes. */
export function useRoom(height: number): number {
  const room = useRef({ window: 0, tall: 0 })
  const isSame = room.current.window === innerHeight
  room.current = { window: innerHeight, tall: isSame ? Math.max(room.current.tall, height) : height }
  return room.current.tall
}
