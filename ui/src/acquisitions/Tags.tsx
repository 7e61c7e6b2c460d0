// The tags of a record, each by itself.
import { Badge } from '#/ui/Badge'

export const tagsOf = ({ tags }: { tags?: { tagList?: string[] } }) =>
  tags?.tagList?.length ? (
    <span className="row wrap">
      {tags.tagList.map((tag) => (
        <Badge key={tag}>
          <bdi>{tag}</bdi>
        </Badge>
      ))}
    </span>
  ) : undefined
