// Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.

export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key, its person, their organisation, and what is used of its limits
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the organisation, its seats and what it has spent this month
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_own_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organisation
         * @description Asks for a key of scope admin or wider.
         */
        patch: operations["rename_organisation"];
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_member"];
        put?: never;
        post?: never;
        /**
         * Remove a member; keys bound to them stop working
         * @description Asks for a key of scope admin or wider.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Asks for a key of scope admin or wider.
         */
        patch: operations["change_member"];
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations, by default the open ones
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite somebody by mail; the link in it is good for seven days
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["create_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again, with a new link that is good for seven days; the old link ends
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["resend_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Asks for a key of scope admin or wider.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Make a key, shown once
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Asks for a key of scope admin or wider.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a key that takes another's place; the old one ends after the overlap
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bots that the key's person sees
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_bots"];
        put?: never;
        /**
         * Make a bot
         * @description Asks for a key of scope write or wider.
         */
        post: operations["create_bot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bot
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_bot"];
        put?: never;
        post?: never;
        /**
         * Delete a bot, its claims, and what it was still to do
         * @description Asks for a key of scope write or wider.
         */
        delete: operations["delete_bot"];
        options?: never;
        head?: never;
        /**
         * Change a bot
         * @description Asks for a key of scope write or wider.
         */
        patch: operations["update_bot"];
        trace?: never;
    };
    "/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List claims
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_memories"];
        put?: never;
        /**
         * Record a claim
         * @description Asks for a key of scope write or wider.
         */
        post: operations["create_memory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a claim
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_memory"];
        put?: never;
        post?: never;
        /**
         * Delete a claim
         * @description Asks for a key of scope write or wider.
         */
        delete: operations["delete_memory"];
        options?: never;
        head?: never;
        /**
         * Change a claim
         * @description Asks for a key of scope write or wider.
         */
        patch: operations["update_memory"];
        trace?: never;
    };
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of bots that the key's person sees
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_runs"];
        put?: never;
        /**
         * Start a run with a message to a bot
         * @description Asks for a key of scope write or wider.
         */
        post: operations["start_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description Asks for a key of scope read or wider.
         */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run; a finished one stays as it is
         * @description Asks for a key of scope write or wider.
         */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the person and the bot said in a run of one's own
         * @description Asks for a key of scope read or wider.
         */
        get: operations["list_run_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Make a webhook endpoint; its signing secret is shown once
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint; what waits there fails
         * @description Asks for a key of scope admin or wider.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook endpoint
         * @description Asks for a key of scope admin or wider.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret at once; the new one is shown once
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a real delivery of kind webhook.test
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts and its payload
         * @description Asks for a key of scope admin or wider.
         */
        get: operations["get_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed delivery again, with a new round of attempts
         * @description Asks for a key of scope admin or wider.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Perform up to 50 operations in one transaction, in order
         * @description Asks for a key of scope write or wider.
         */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organisations
         * @description Asks for a platform key.
         */
        get: operations["list_organisations"];
        put?: never;
        /**
         * Found an organisation
         * @description Asks for a platform key.
         */
        post: operations["create_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organisation
         * @description Asks for a platform key.
         */
        get: operations["get_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{id}/owner-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an admin key bound to the organisation's owner, shown once
         * @description Asks for a platform key.
         */
        post: operations["create_owner_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Refusal: {
            error: {
                /** @enum {string} */
                code: "invalid_request" | "unauthenticated" | "payment_required" | "forbidden" | "not_found" | "not_supported" | "conflict" | "idempotency_in_progress" | "payload_too_large" | "idempotency_mismatch" | "quota_exceeded" | "rate_limited" | "internal" | "unavailable";
                message: string;
                /** Format: uuid */
                requestId: string;
                details?: {
                    path: string;
                    message: string;
                }[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            /** @enum {string} */
                            scope: "read" | "write" | "admin";
                            /** Format: uuid */
                            createdBy: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            lastUsedAt: string | null;
                            revokedAt: string | null;
                        };
                        person: {
                            /** Format: uuid */
                            userId: string;
                            email: string;
                            displayName: string | null;
                            /** @enum {string} */
                            role: "owner" | "admin" | "member";
                        };
                        organisation: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @enum {string} */
                            kind: "team" | "personal";
                            /** @enum {string} */
                            billingState: "trial" | "active" | "none";
                            trialEndsAt: string | null;
                            /** Format: date-time */
                            createdAt: string;
                        };
                        limits: {
                            liveKeys: {
                                limit: number | null;
                                used: number;
                            };
                            liveWebhooks: {
                                limit: number | null;
                                used: number;
                            };
                            runStartsPerHour: {
                                limit: number | null;
                                used: number;
                            };
                            monthlySpendMicroCents: {
                                limit: number | null;
                                used: number;
                            };
                        };
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_own_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        kind: "team" | "personal";
                        /** @enum {string} */
                        billingState: "trial" | "active" | "none";
                        trialEndsAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        seats: {
                            /** @description Members and open invitations together. */
                            limit: number;
                            /** @description Seats paid for; null when seats are not counted. */
                            bought: number | null;
                            members: number;
                            openInvitations: number;
                        };
                        usage: {
                            /** @description The calendar month in UTC, as 2026-11. */
                            month: string;
                            spendMicroCents: number;
                            limitMicroCents: number | null;
                        };
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    rename_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        kind: "team" | "personal";
                        /** @enum {string} */
                        billingState: "trial" | "active" | "none";
                        trialEndsAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        seats: {
                            /** @description Members and open invitations together. */
                            limit: number;
                            /** @description Seats paid for; null when seats are not counted. */
                            bought: number | null;
                            members: number;
                            openInvitations: number;
                        };
                        usage: {
                            /** @description The calendar month in UTC, as 2026-11. */
                            month: string;
                            spendMicroCents: number;
                            limitMicroCents: number | null;
                        };
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_members: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            userId: string;
                            email: string;
                            displayName: string | null;
                            /** @enum {string} */
                            role: "owner" | "admin" | "member";
                            /** Format: date-time */
                            createdAt: string;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        userId: string;
                        email: string;
                        displayName: string | null;
                        /** @enum {string} */
                        role: "owner" | "admin" | "member";
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    change_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "member";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        userId: string;
                        email: string;
                        displayName: string | null;
                        /** @enum {string} */
                        role: "owner" | "admin" | "member";
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_invitations: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                status?: "open" | "accepted" | "revoked" | "expired" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            email: string;
                            /** @enum {string} */
                            role: "admin" | "member";
                            /** Format: uuid */
                            invitedBy: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            acceptedAt: string | null;
                            revokedAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_invitation: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @default member
                     * @enum {string}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @enum {string} */
                        role: "admin" | "member";
                        /** Format: uuid */
                        invitedBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        acceptedAt: string | null;
                        revokedAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payment_required: The organisation needs a trial or a payment before this can be written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    resend_invitation: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @enum {string} */
                        role: "admin" | "member";
                        /** Format: uuid */
                        invitedBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        acceptedAt: string | null;
                        revokedAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payment_required: The organisation needs a trial or a payment before this can be written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @enum {string} */
                        role: "admin" | "member";
                        /** Format: uuid */
                        invitedBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        acceptedAt: string | null;
                        revokedAt: string | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_keys: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            prefix: string;
                            /** @enum {string} */
                            scope: "read" | "write" | "admin";
                            /** Format: uuid */
                            createdBy: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            lastUsedAt: string | null;
                            revokedAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @default read
                     * @enum {string}
                     */
                    scope?: "read" | "write" | "admin";
                    /** @default 90 */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                        /** Format: uuid */
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        lastUsedAt: string | null;
                        revokedAt: string | null;
                        key: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                        /** Format: uuid */
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        lastUsedAt: string | null;
                        revokedAt: string | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                        /** Format: uuid */
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        lastUsedAt: string | null;
                        revokedAt: string | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    rotate_key: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long both work; the old key never outlives its own expiry.
                     * @default 24
                     */
                    overlapHours?: number;
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                        /** Format: uuid */
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        lastUsedAt: string | null;
                        revokedAt: string | null;
                        key: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_bots: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            instructions: string;
                            model: string;
                            /** @enum {string} */
                            visibility: "team" | "personal";
                            /** @enum {string} */
                            directConversation: "members" | "owner";
                            /** Format: uuid */
                            ownerId: string;
                            /** Format: date-time */
                            createdAt: string;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_bot: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @default  */
                    instructions?: string;
                    /** @default recall */
                    model?: string;
                    /**
                     * @default team
                     * @enum {string}
                     */
                    visibility?: "team" | "personal";
                    /**
                     * @default members
                     * @enum {string}
                     */
                    directConversation?: "members" | "owner";
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        instructions: string;
                        model: string;
                        /** @enum {string} */
                        visibility: "team" | "personal";
                        /** @enum {string} */
                        directConversation: "members" | "owner";
                        /** Format: uuid */
                        ownerId: string;
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_bot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        instructions: string;
                        model: string;
                        /** @enum {string} */
                        visibility: "team" | "personal";
                        /** @enum {string} */
                        directConversation: "members" | "owner";
                        /** Format: uuid */
                        ownerId: string;
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    delete_bot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    update_bot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    instructions?: string;
                    model?: string;
                    /** @enum {string} */
                    visibility?: "team" | "personal";
                    /** @enum {string} */
                    directConversation?: "members" | "owner";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        instructions: string;
                        model: string;
                        /** @enum {string} */
                        visibility: "team" | "personal";
                        /** @enum {string} */
                        directConversation: "members" | "owner";
                        /** Format: uuid */
                        ownerId: string;
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_memories: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                scope?: "organisation" | "bot" | "member";
                botId?: string;
                current?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            scope: "organisation" | "bot" | "member";
                            botId: string | null;
                            kind: string;
                            subject: string;
                            /** @enum {string} */
                            subjectKind: "organisation" | "member" | "third_party";
                            value: string;
                            confidence: number;
                            validTo: string | null;
                            /** @enum {string} */
                            provenance: "member" | "run" | "import" | "run-tainted";
                            /** Format: date-time */
                            createdAt: string;
                            /** @enum {string} */
                            lawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_memory: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    scope: "organisation" | "bot";
                    botId?: string | null;
                    kind: string;
                    subject: string;
                    /**
                     * @default organisation
                     * @enum {string}
                     */
                    subjectKind?: "organisation" | "member" | "third_party";
                    value: string;
                    /** @default 1 */
                    confidence?: number;
                    validTo?: string | null;
                    /**
                     * @default legitimate_interests
                     * @enum {string}
                     */
                    lawfulBasis?: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "organisation" | "bot" | "member";
                        botId: string | null;
                        kind: string;
                        subject: string;
                        /** @enum {string} */
                        subjectKind: "organisation" | "member" | "third_party";
                        value: string;
                        confidence: number;
                        validTo: string | null;
                        /** @enum {string} */
                        provenance: "member" | "run" | "import" | "run-tainted";
                        /** Format: date-time */
                        createdAt: string;
                        /** @enum {string} */
                        lawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "organisation" | "bot" | "member";
                        botId: string | null;
                        kind: string;
                        subject: string;
                        /** @enum {string} */
                        subjectKind: "organisation" | "member" | "third_party";
                        value: string;
                        confidence: number;
                        validTo: string | null;
                        /** @enum {string} */
                        provenance: "member" | "run" | "import" | "run-tainted";
                        /** Format: date-time */
                        createdAt: string;
                        /** @enum {string} */
                        lawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    delete_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    update_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value?: string;
                    confidence?: number;
                    validTo?: string | null;
                    /** @enum {string} */
                    lawfulBasis?: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        scope: "organisation" | "bot" | "member";
                        botId: string | null;
                        kind: string;
                        subject: string;
                        /** @enum {string} */
                        subjectKind: "organisation" | "member" | "third_party";
                        value: string;
                        confidence: number;
                        validTo: string | null;
                        /** @enum {string} */
                        provenance: "member" | "run" | "import" | "run-tainted";
                        /** Format: date-time */
                        createdAt: string;
                        /** @enum {string} */
                        lawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description forbidden: The credential is accepted, but its person may not do this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_runs: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                botId?: string;
                state?: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            botId: string;
                            /** Format: uuid */
                            conversationId: string;
                            routineId: string | null;
                            /** @enum {string} */
                            state: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
                            /** @enum {string} */
                            trigger: "api" | "message" | "routine" | "webhook";
                            taint: boolean;
                            steps: number;
                            /** @description Micro-cents: 1,000,000 are one cent. */
                            spendMicroCents: number;
                            error: {
                                /** @enum {string} */
                                code: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
                                message: string;
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            finishedAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    start_run: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    botId: string;
                    message: string;
                    /** @default false */
                    untrusted?: boolean;
                };
            };
        };
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        botId: string;
                        /** Format: uuid */
                        conversationId: string;
                        routineId: string | null;
                        /** @enum {string} */
                        state: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
                        /** @enum {string} */
                        trigger: "api" | "message" | "routine" | "webhook";
                        taint: boolean;
                        steps: number;
                        /** @description Micro-cents: 1,000,000 are one cent. */
                        spendMicroCents: number;
                        error: {
                            /** @enum {string} */
                            code: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
                            message: string;
                        } | null;
                        /** Format: date-time */
                        createdAt: string;
                        finishedAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payment_required: The organisation needs a trial or a payment before this can be written. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        botId: string;
                        /** Format: uuid */
                        conversationId: string;
                        routineId: string | null;
                        /** @enum {string} */
                        state: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
                        /** @enum {string} */
                        trigger: "api" | "message" | "routine" | "webhook";
                        taint: boolean;
                        steps: number;
                        /** @description Micro-cents: 1,000,000 are one cent. */
                        spendMicroCents: number;
                        error: {
                            /** @enum {string} */
                            code: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
                            message: string;
                        } | null;
                        /** Format: date-time */
                        createdAt: string;
                        finishedAt: string | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        botId: string;
                        /** Format: uuid */
                        conversationId: string;
                        routineId: string | null;
                        /** @enum {string} */
                        state: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
                        /** @enum {string} */
                        trigger: "api" | "message" | "routine" | "webhook";
                        taint: boolean;
                        steps: number;
                        /** @description Micro-cents: 1,000,000 are one cent. */
                        spendMicroCents: number;
                        error: {
                            /** @enum {string} */
                            code: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
                            message: string;
                        } | null;
                        /** Format: date-time */
                        createdAt: string;
                        finishedAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_run_messages: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            runId: string;
                            /** Format: uuid */
                            conversationId: string;
                            /** @enum {string} */
                            author: "person" | "bot";
                            text: string;
                            /** @description The claims that an answer rests on, best first. */
                            memoryIds: string[];
                            /** Format: date-time */
                            createdAt: string;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            description: string | null;
                            events: ("run.finished" | "approval.needed")[];
                            /** @enum {string} */
                            state: "active" | "paused" | "disabled";
                            consecutiveFailures: number;
                            disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
                            disabledAt: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            lastDeliveryAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    description?: string | null;
                    events: ("run.finished" | "approval.needed")[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        url: string;
                        description: string | null;
                        events: ("run.finished" | "approval.needed")[];
                        /** @enum {string} */
                        state: "active" | "paused" | "disabled";
                        consecutiveFailures: number;
                        disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
                        disabledAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastDeliveryAt: string | null;
                        secret: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        url: string;
                        description: string | null;
                        events: ("run.finished" | "approval.needed")[];
                        /** @enum {string} */
                        state: "active" | "paused" | "disabled";
                        consecutiveFailures: number;
                        disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
                        disabledAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastDeliveryAt: string | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: string;
                    description?: string | null;
                    events?: ("run.finished" | "approval.needed")[];
                    /** @enum {string} */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        url: string;
                        description: string | null;
                        events: ("run.finished" | "approval.needed")[];
                        /** @enum {string} */
                        state: "active" | "paused" | "disabled";
                        consecutiveFailures: number;
                        disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
                        disabledAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastDeliveryAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        url: string;
                        description: string | null;
                        events: ("run.finished" | "approval.needed")[];
                        /** @enum {string} */
                        state: "active" | "paused" | "disabled";
                        consecutiveFailures: number;
                        disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
                        disabledAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastDeliveryAt: string | null;
                        secret: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        webhookId: string;
                        /** @enum {string} */
                        event: "run.finished" | "approval.needed" | "webhook.test";
                        /** @enum {string} */
                        state: "pending" | "delivered" | "failed";
                        attempts: number;
                        maxAttempts: number;
                        lastStatusCode: number | null;
                        lastFailure: ("address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme") | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastAttemptAt: string | null;
                        nextAttemptAt: string | null;
                        deliveredAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            webhookId: string;
                            /** @enum {string} */
                            event: "run.finished" | "approval.needed" | "webhook.test";
                            /** @enum {string} */
                            state: "pending" | "delivered" | "failed";
                            attempts: number;
                            maxAttempts: number;
                            lastStatusCode: number | null;
                            lastFailure: ("address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme") | null;
                            /** Format: date-time */
                            createdAt: string;
                            lastAttemptAt: string | null;
                            nextAttemptAt: string | null;
                            deliveredAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        webhookId: string;
                        /** @enum {string} */
                        event: "run.finished" | "approval.needed" | "webhook.test";
                        /** @enum {string} */
                        state: "pending" | "delivered" | "failed";
                        attempts: number;
                        maxAttempts: number;
                        lastStatusCode: number | null;
                        lastFailure: ("address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme") | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastAttemptAt: string | null;
                        nextAttemptAt: string | null;
                        deliveredAt: string | null;
                        attemptLog: {
                            number: number;
                            /** @enum {string} */
                            trigger: "scheduled" | "manual";
                            /** Format: date-time */
                            startedAt: string;
                            durationMs: number;
                            statusCode: number | null;
                            failure: ("address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme") | null;
                        }[];
                        payload: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            event: "run.finished" | "approval.needed" | "webhook.test";
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: uuid */
                            organisationId: string;
                            data: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        webhookId: string;
                        /** @enum {string} */
                        event: "run.finished" | "approval.needed" | "webhook.test";
                        /** @enum {string} */
                        state: "pending" | "delivered" | "failed";
                        attempts: number;
                        maxAttempts: number;
                        lastStatusCode: number | null;
                        lastFailure: ("address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme") | null;
                        /** Format: date-time */
                        createdAt: string;
                        lastAttemptAt: string | null;
                        nextAttemptAt: string | null;
                        deliveredAt: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description conflict: The state of the row refuses the call. idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    batch: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The first refusal undoes all; the others answer 409.
                     * @default false
                     */
                    atomic?: boolean;
                    operations: {
                        /** @description The caller's own name for the operation, given back with its result. */
                        id?: string;
                        /** @enum {string} */
                        method: "GET" | "POST" | "PATCH" | "DELETE";
                        /** @description Below /api/v1, with its query, as /memories?limit=10. */
                        path: string;
                        body?: {
                            [key: string]: unknown;
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            id: string | null;
                            status: number;
                            body: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    list_organisations: {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @enum {string} */
                            kind: "team" | "personal";
                            /** @enum {string} */
                            billingState: "trial" | "active" | "none";
                            trialEndsAt: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            owner: {
                                /** Format: uuid */
                                userId: string;
                                email: string;
                                displayName: string | null;
                            } | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_organisation: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @default team
                     * @enum {string}
                     */
                    kind?: "team" | "personal";
                    owner: {
                        email: string;
                        displayName?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        kind: "team" | "personal";
                        /** @enum {string} */
                        billingState: "trial" | "active" | "none";
                        trialEndsAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        owner: {
                            /** Format: uuid */
                            userId: string;
                            email: string;
                            displayName: string | null;
                        } | null;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    get_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        kind: "team" | "personal";
                        /** @enum {string} */
                        billingState: "trial" | "active" | "none";
                        trialEndsAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        owner: {
                            /** Format: uuid */
                            userId: string;
                            email: string;
                            displayName: string | null;
                        } | null;
                    };
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    create_owner_key: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key with the same request is answered the same for 24 hours, and done once. */
                "Idempotency-Key": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default Owner key */
                    name?: string;
                    /** @default 90 */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description The answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        prefix: string;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                        /** Format: uuid */
                        createdBy: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        lastUsedAt: string | null;
                        revokedAt: string | null;
                        key: string;
                    };
                };
            };
            /** @description invalid_request: The request does not match the contract; details name the failing paths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unauthenticated: No credential that this route accepts was given. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description not_found: There is nothing here that the caller may read. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_in_progress: An earlier request with this Idempotency-Key is not answered yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description payload_too_large: The body is larger than 1 MB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description idempotency_mismatch: This Idempotency-Key was used with another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description rate_limited: Too many requests; try again after the time that Retry-After gives. quota_exceeded: A ceiling of the product is reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description internal: Something went wrong on our side. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description unavailable: The service can't answer right now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
}
