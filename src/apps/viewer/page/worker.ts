import { createDesk } from '../sheet/create-desk.ts'
import { serveDesk } from '../sheet/desk-link.ts'

serveDesk(createDesk(), self)
