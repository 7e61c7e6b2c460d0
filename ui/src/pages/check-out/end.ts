// The patron goes: the notice of this session is sent. A failure must not keep the desk; the server's own
// time-out sends the notice then.
import { post } from '#/api/client'
import { queryClient } from '#/api/query'
import type { User } from '#/api/types'

export function endCheckOut(barcode: string) {
  const patronId = queryClient.getQueryData<User>(['patron', barcode])?.id
  if (!patronId) return
  const endSessions = [{ actionType: 'Check-out', patronId }]
  void post('/circulation/end-patron-action-session', { endSessions }).catch(() => undefined)
}
