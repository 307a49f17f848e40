/*
 * The Merkle tree over the entries of all organisations (RFC 6962), stored as tiles: a hash of level n + 1 is the root
 * of a complete tile of level n. (docs/specification/audit-log.md#checkpoints)
 */
create function audit.leaf_data(organisation uuid, sequence bigint, hash bytea) returns text
language sql immutable parallel safe
as $$ select format(E'botstead audit entry v1\n%s\n%s\n%s\n', organisation, sequence, encode(hash, 'hex')) $$;
comment on function audit.leaf_data is 'The leaf of an entry.';
grant execute on function audit.leaf_data to auditor;

create function audit.leaf_hash(data text) returns bytea
language sql immutable parallel safe
as $$ select sha256('\x00' || convert_to(data, 'UTF8')) $$;
comment on function audit.leaf_hash is 'The hash of a leaf.';
grant execute on function audit.leaf_hash to auditor;

create function audit.root_of_hashes(hashes bytea) returns bytea
language plpgsql immutable parallel safe
as $$
begin
  while octet_length(hashes) > 32 loop
    hashes := (
      select string_agg(sha256('\x01' || substr(hashes, 64 * pair + 1, 64)), '' order by pair)
      from generate_series(0, octet_length(hashes) / 64 - 1) pair
    );
  end loop;
  return hashes;
end
$$;
comment on function audit.root_of_hashes is 'The root over 1, 2, 4, … or 256 hashes.';

create function audit.hash_of_complete(first bigint, leaves bigint) returns bytea
language plpgsql stable
as $$
declare
  tile_level integer := 0;
begin
  while leaves >= 256 loop
    tile_level := tile_level + 1;
    first := first / 256;
    leaves := leaves / 256;
  end loop;
  return audit.root_of_hashes(substr(
    (
      select string_agg(part.hashes, '' order by part.position)
      from app.audit_tiles part
      where part.level = tile_level and part.tile = first / 256
    ),
    32 * (first % 256)::integer + 1, 32 * leaves::integer
  ));
end
$$;
comment on function audit.hash_of_complete is 'The hash of a complete subtree: a power of two of leaves, from a multiple of it on.';

create function audit.left_leaves(leaves bigint) returns bigint
language sql immutable parallel safe
as $$ select (1::bigint << (length(ltrim((leaves - 1)::bit(64)::text, '0')) - 1)) $$;
comment on function audit.left_leaves is 'The leaves of the left subtree: the largest power of two that is smaller.';

create function audit.hash_of_span(first bigint, leaves bigint) returns bytea
language plpgsql stable
as $$
declare
  complete bytea[] := '{}';
  part bigint;
  root bytea;
begin
  while leaves > 0 loop
    part := case leaves when 1 then 1 else audit.left_leaves(leaves + 1) end;
    complete := complete || audit.hash_of_complete(first, part);
    first := first + part;
    leaves := leaves - part;
  end loop;
  root := complete[cardinality(complete)];
  for at in reverse cardinality(complete) - 1 .. 1 loop
    root := sha256('\x01' || complete[at] || root);
  end loop;
  return root;
end
$$;
comment on function audit.hash_of_span is 'The hash of a subtree, by its first leaf and the number of its leaves.';

create function audit.inclusion_hashes(leaf bigint, tree_size bigint) returns bytea[]
language plpgsql stable
as $$
declare
  first bigint := 0;
  leaves bigint := tree_size;
  left_leaves bigint;
  hashes bytea[] := '{}';
begin
  while leaves > 1 loop
    left_leaves := audit.left_leaves(leaves);
    if leaf < first + left_leaves then
      hashes := audit.hash_of_span(first + left_leaves, leaves - left_leaves) || hashes;
      leaves := left_leaves;
    else
      hashes := audit.hash_of_span(first, left_leaves) || hashes;
      first := first + left_leaves;
      leaves := leaves - left_leaves;
    end if;
  end loop;
  return hashes;
end
$$;
comment on function audit.inclusion_hashes is 'The hashes that prove that a leaf is in the tree, from the leaf to the root (RFC 6962, 2.1.1).';

create function audit.consistency_hashes(old_size bigint, tree_size bigint) returns bytea[]
language plpgsql stable
as $$
declare
  first bigint := 0;
  leaves bigint := tree_size;
  rest bigint := old_size;
  left_leaves bigint;
  hashes bytea[] := '{}';
begin
  if old_size not between 1 and tree_size - 1 then
    return hashes;
  end if;
  while rest <> leaves loop
    left_leaves := audit.left_leaves(leaves);
    if rest <= left_leaves then
      hashes := audit.hash_of_span(first + left_leaves, leaves - left_leaves) || hashes;
      leaves := left_leaves;
    else
      hashes := audit.hash_of_span(first, left_leaves) || hashes;
      first := first + left_leaves;
      leaves := leaves - left_leaves;
      rest := rest - left_leaves;
    end if;
  end loop;
  -- The old tree itself is known to the reader of the proof; a part of it is not.
  return case when first = 0 then hashes else audit.hash_of_span(first, leaves) || hashes end;
end
$$;
comment on function audit.consistency_hashes is 'The hashes that prove that a tree extends its first leaves (RFC 6962, 2.1.2).';

create function audit.range_hashes(first_leaf bigint, last_leaf bigint, first bigint, leaves bigint) returns bytea[]
language plpgsql stable
as $$
declare
  left_leaves bigint;
begin
  if first > last_leaf or first + leaves <= first_leaf then
    return array[audit.hash_of_span(first, leaves)];
  elsif leaves = 1 then
    return '{}';
  end if;
  left_leaves := audit.left_leaves(leaves);
  return audit.range_hashes(first_leaf, last_leaf, first, left_leaves)
    || audit.range_hashes(first_leaf, last_leaf, first + left_leaves, leaves - left_leaves);
end
$$;
comment on function audit.range_hashes is 'The hashes that, with consecutive leaves, give the hash of a subtree: of the largest subtrees beside them, from left to right. The subtree is given by its first leaf and the number of its leaves.';
