import { checkInWorker } from '../workerd/check-in-worker.ts'

await checkInWorker('journal')
