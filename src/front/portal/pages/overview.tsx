/** The first page: what the organisation uses. */
import { useOne } from "../../parts/api.ts";
import { Failure } from "../../parts/dialog.tsx";
import { Facts, Loading, Page } from "../../parts/page.tsx";

type Me = { organisation: { name: string }; role: string };

export default function Overview() {
  const { data, error } = useOne<Me>("/me");
  return (
    <Page title="Overview">
      <Failure error={error} />
      {data ? (
        <Facts
          items={[
            ["Organisation", data.organisation.name],
            ["Your role", data.role],
          ]}
        />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
