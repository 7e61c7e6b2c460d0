// A new request; or one like another, whose fields it begins with.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { requestQuery } from '#/requests/queries'
import { Failed } from '#/ui/Failed'
import { Head, page } from '#/ui/Page'
import { RequestForm } from './RequestForm'

export async function loader() {
  await loadTexts('lists', 'forms', 'request')
}

export function NewRequestPage() {
  const t = useText()
  const { like, requester, item, instance } = useSearch({ from: '/shell/requests/new' })
  const { data, error, refetch } = useQuery({ ...requestQuery(like ?? ''), enabled: Boolean(like) })
  return (
    <>
      <Head title={t('request.new')} />
      <div className={page.pane}>
        <div className={page.body}>
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {like && !data ? null : (
            <RequestForm
              key={like}
              like={data}
              requester={requester ?? data?.requesterId}
              item={item ?? (data?.requestLevel === 'Title' ? undefined : data?.item?.barcode)}
              instance={instance ?? (data?.requestLevel === 'Title' ? data.instanceId : undefined)}
            />
          )}
        </div>
      </div>
    </>
  )
}
