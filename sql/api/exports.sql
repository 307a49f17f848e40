/*
 * Exports of organisations by owners. (docs/specification/exports.md)
 */
create function api.create_export(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  perform api_private.require_exporter();
  perform api_private.lock_organisation(); -- so that concurrent calls count each other
  perform api_private.require_current_membership();
  if (select count(*) >= 10 from app.exports open where api_private.is_under_way(open)) then
    perform errors.refuse('conflict', reason => 'exports_open');
  end if;
  insert into app.exports (organisation_id, person_id, tables_hash)
  values (caller.organisation_id(), caller.person_id(), api_private.export_tables_hash())
  returning id into created;
  return api.get_export(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_export to tenant;

/*
 * A part that was read before has the same content, or the call is refused. The newest part is read again until the next one is
 * requested, so a client that lost it can always continue.
 */
create function api.make_export_part(input jsonb) returns text
language plpgsql
as $$
declare
  export constant app.exports := api_private.open_export((input ->> 'id')::uuid);
  wanted constant integer := input ->> 'part';
  stored app.export_parts;
  previous app.export_parts;
  is_newest boolean;
  read record;
begin
  if export.finished_at is not null then
    perform errors.refuse('conflict', reason => 'export_finished');
  end if;
  select * into stored from app.export_parts part where part.export_id = export.id and part.number = wanted;
  select * into previous from app.export_parts part where part.export_id = export.id and part.number = wanted - 1;
  perform errors.require_row(wanted = 1 or previous.next_position is not null);
  is_newest := not exists (select from app.export_parts part where part.export_id = export.id and part.number > wanted);
  select made.*, encode(sha256(convert_to(made.content, 'UTF8')), 'hex') as hash into read
  from api_private.read_export(
    coalesce(previous.next_position, jsonb_build_object('table', (api_private.export_tables())[1], 'after', null)),
    case when not is_newest then stored.next_position end
  ) made;
  if not is_newest and read.hash <> stored.hash then
    perform errors.refuse('conflict', reason => 'export_part_changed');
  elsif is_newest then
    stored := api_private.store_part(
      export, wanted, coalesce(previous.chain, api_private.start_of_chain(export.organisation_id, export.id)),
      read.next_position, read.counts, read.lines, read.hash
    );
  end if;
  return (
    select row_to_json(answer)::text
    from (
      select wanted as part, stored.lines, stored.hash, stored.chain, stored.next_position is null as "isLast", read.content
    ) answer
  );
end
$$;
grant execute on function api.make_export_part to tenant;

-- Finishing twice changes nothing.
create function api.finish_export(input jsonb) returns text
language plpgsql
as $$
declare
  export constant app.exports := api_private.open_export((input ->> 'id')::uuid);
begin
  if export.finished_at is null then
    if not exists (select from app.export_parts part where part.export_id = export.id and part.next_position is null) then
      perform errors.refuse('conflict', reason => 'export_incomplete');
    end if;
    update app.exports
    set finished_at = now(), expires_at = now() + interval '30 days', manifest = made.text,
      manifest_hash = encode(sha256(convert_to(made.text, 'UTF8')), 'hex')
    from api_private.manifest_of_export(export) made (text)
    where exports.id = export.id;
    delete from app.export_parts part where part.export_id = export.id; -- the manifest has their chain
  end if;
  return api.get_export(input);
end
$$;
grant execute on function api.finish_export to tenant;
